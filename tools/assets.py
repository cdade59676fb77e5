#!/usr/bin/env python3
"""Makes the mesh files of assets/ (metres, Y up, outward faces) and checks them.

    tools/assets.py [NAME]...            write the named assets, or all: dog rings rounded_cube teapot bar torus bowl
    tools/assets.py --check [NAME]...    read the files back, check them, print counts and lattice tables

Only the standard library is used. The same Python writes the same bytes each time.
"""

import argparse
import heapq
import itertools
import math
import random
import struct
import sys
from pathlib import Path

ASSETS = Path(__file__).resolve().parent.parent / "assets"


# ---------------------------------------------------------------- vectors

def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def along(a, t, b):
    """a + t b."""
    return (a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2])


def length(a):
    return math.sqrt(dot(a, a))


def unit(a):
    return along((0.0, 0.0, 0.0), 1.0 / length(a), a)


def distance(a, b):
    return math.dist(a, b)


def mean(points):
    return tuple(sum(c) / len(points) for c in zip(*points))


def area_vector(points, face):
    """Twice the area of a triangle along its normal."""
    a, b, c = (points[i] for i in face)
    return cross(sub(b, a), sub(c, a))


def six_volume(a, b, c, d):
    """Six times the signed volume of a tetrahedron; positive when a sees b, c, d clockwise."""
    return dot(cross(sub(b, a), sub(c, a)), sub(d, a))


def bounds(points):
    return tuple(map(min, zip(*points))), tuple(map(max, zip(*points)))


# ---------------------------------------------------------------- signed distance fields

def smooth_min(a, b, k):
    """Quadratic smooth minimum: equals min(a, b) where they differ by more than k."""
    h = k - abs(a - b)
    return min(a, b) - (h * h / (4.0 * k) if h > 0.0 else 0.0)


def round_cone(a, b, ra, rb):
    """Hull of the spheres (a, ra) and (b, rb): the sphere that touches nearest to the point gives its distance."""
    axis = sub(b, a)
    span = length(axis)
    u = unit(axis)
    slope = (ra - rb) / span
    lean = slope / math.sqrt(1.0 - slope * slope)

    def field(p):
        v = sub(p, a)
        s = dot(v, u)
        q2 = max(dot(v, v) - s * s, 0.0)
        t = min(max(s - math.sqrt(q2) * lean, 0.0), span)
        return math.sqrt((s - t) ** 2 + q2) - ra + slope * t

    return field


def ellipsoid(centre, radii, roll=0.0, pitch=0.0, yaw=0.0):
    """First-order distance |q|(|q| - 1)/|q/r|, q = R^T (p - c)/r; turned about x, then z, then y [rad]."""
    cx, sx, cz, sz, cy, sy = (f(v) for v in (roll, pitch, yaw) for f in (math.cos, math.sin))

    def turn(v):
        x, y, z = v[0], cx * v[1] - sx * v[2], sx * v[1] + cx * v[2]
        x, y = cz * x - sz * y, sz * x + cz * y
        return (cy * x + sy * z, y, cy * z - sy * x)

    axes = [turn(e) for e in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]

    def field(p):
        v = sub(p, centre)
        q = [dot(v, axis) / r for axis, r in zip(axes, radii)]
        n = math.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2)
        g = math.sqrt(sum((c / r) ** 2 for c, r in zip(q, radii)))
        return n * (n - 1.0) / g if g > 1e-12 else -min(radii)

    return field


def dog_field():
    """A standing dog that looks along +x, before it is scaled; symmetric in z."""
    parts = []  # (field, blending width towards what stands before it)

    def cone(k, *stations):
        """A chain of round cones through stations (x, y, z, radius)."""
        for (*a, ra), (*b, rb) in itertools.pairwise(stations):
            parts.append((round_cone(tuple(a), tuple(b), ra, rb), k))

    def egg(k, centre, radii, **turned):
        parts.append((ellipsoid(centre, radii, **turned), k))

    cone(0.08, (0.13, 0.475, 0, 0.132), (-0.20, 0.495, 0, 0.112))  # trunk
    egg(0.08, (0.17, 0.465, 0), (0.165, 0.150, 0.128))  # chest
    egg(0.08, (-0.22, 0.475, 0), (0.13, 0.125, 0.118))  # croup
    cone(0.09, (0.24, 0.53, 0, 0.105), (0.365, 0.70, 0, 0.080))  # neck
    egg(0.04, (0.405, 0.770, 0), (0.112, 0.098, 0.098), pitch=-0.15)  # skull
    cone(0.035, (0.46, 0.735, 0, 0.066), (0.580, 0.716, 0, 0.048))  # snout
    cone(0.020, (0.46, 0.695, 0, 0.046), (0.565, 0.680, 0, 0.030))  # jaw
    egg(0.008, (0.624, 0.734, 0), (0.022, 0.020, 0.029))  # nose
    egg(0.020, (0.462, 0.815, 0.042), (0.030, 0.020, 0.024))  # brow
    egg(0.004, (0.490, 0.794, 0.065), (0.018, 0.018, 0.018))  # eye
    egg(0.022, (0.375, 0.762, 0.116), (0.060, 0.096, 0.030), roll=-0.38, pitch=0.10)  # ear
    cone(0.06, (0.17, 0.44, 0.075, 0.084), (0.150, 0.29, 0.088, 0.062))  # upper arm
    cone(0.03, (0.150, 0.29, 0.088, 0.060), (0.165, 0.06, 0.090, 0.049))  # forearm
    egg(0.03, (0.192, 0.038, 0.090), (0.070, 0.039, 0.052))  # fore paw
    cone(0.06, (-0.23, 0.45, 0.070, 0.108), (-0.214, 0.32, 0.088, 0.067))  # thigh
    cone(0.06, (-0.214, 0.31, 0.088, 0.063), (-0.285, 0.17, 0.090, 0.048))  # lower leg
    cone(0.03, (-0.285, 0.17, 0.090, 0.048), (-0.272, 0.06, 0.090, 0.048))  # hock
    egg(0.03, (-0.242, 0.038, 0.090), (0.070, 0.039, 0.052))  # hind paw
    for x, z in itertools.product((0.238, -0.196), (0.057, 0.090, 0.123)):
        egg(0.008, (x + 0.008 * (z == 0.090), 0.024, z), (0.030, 0.024, 0.018))  # toe
    cone(0.07, (-0.30, 0.55, 0, 0.050), (-0.385, 0.60, 0, 0.040), (-0.44, 0.675, 0, 0.034), (-0.462, 0.77, 0, 0.024))

    def field(p):
        p = (p[0], p[1], abs(p[2]))
        d = math.inf
        for part, k in parts:
            d = smooth_min(d, part(p), k)
        return d

    return field


# ---------------------------------------------------------------- isosurface

def even(order):
    return sum(a > b for a, b in itertools.combinations(order, 2)) % 2 == 0


def marching_tetrahedra(field, low, high, cell):
    """Isosurface field = 0 (Doi and Koide 1991), six tetrahedra per cube: closed and manifold whatever the field."""
    add = lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2])
    at = lambda i: tuple(l + cell * c for l, c in zip(low, i))
    n = [math.ceil((h - l) / cell) + 1 for l, h in zip(low, high)]
    value = {i: field(at(i)) for i in itertools.product(*map(range, n))}
    steps = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    six = []  # positive tetrahedra around the diagonal of the cube
    for order in itertools.permutations(range(3)):
        path = [(0, 0, 0), *itertools.accumulate((steps[k] for k in order), add)]
        six.append(path if even(order) else [path[0], path[1], path[3], path[2]])
    orders = [order for order in itertools.permutations(range(4)) if even(order)]
    points, number, faces = [], {}, []

    def cut(a, b):
        """The point where the surface crosses the edge from a to b."""
        key = min(a, b), max(a, b)
        if key not in number:
            number[key] = len(points)
            points.append(along(at(a), cell * value[a] / (value[a] - value[b]), sub(b, a)))
        return number[key]

    for cube in itertools.product(*(range(c - 1) for c in n)):
        for tet in six:
            nodes = [add(cube, v) for v in tet]
            within = [value[v] < 0.0 for v in nodes]
            count = sum(within)
            if count % 4 == 0:
                continue
            order = next(o for o in orders if all(within[k] for k in o[:count]))  # inner nodes first
            i, j, k, l = (nodes[v] for v in order)
            if count == 1:
                faces.append((cut(i, j), cut(i, k), cut(i, l)))
            elif count == 2:
                faces += split(points, (cut(i, k), cut(i, l), cut(j, l), cut(j, k)))
            else:
                faces.append((cut(j, l), cut(k, l), cut(i, l)))
    return points, faces


def shorter(a, b, c, d):
    """Whether a-b is not longer than c-d; equal lengths give the same answer whatever the rounding."""
    return distance(a, b) <= distance(c, d) * (1.0 + 1e-9)


def split(points, quad):
    """Two triangles of a quad, along its shorter diagonal."""
    a, b, c, d = quad
    if shorter(points[a], points[c], points[b], points[d]):
        return [(a, b, c), (a, c, d)]
    return [(a, b, d), (b, c, d)]


def edge_faces(faces):
    """Directed edge -> the face on its left."""
    return {(f[k], f[(k + 1) % 3]): i for i, f in enumerate(faces) for k in range(3)}


def neighbours(count, faces):
    ring = [set() for _ in range(count)]
    for a, b in edge_faces(faces):
        ring[a].add(b)
    return ring


def collapse_to(points, faces, size, wanted):
    """Collapses the edges that are shortest for the size wanted at their ends, until `wanted` points are left.

    An edge is kept where its collapse would change the topology (link condition) or leave a point of valence three.
    """
    faces, points, size = list(faces), list(points), list(size)
    ring = neighbours(len(points), faces)
    star = [set() for _ in points]
    for i, f in enumerate(faces):
        for v in f:
            star[v].add(i)
    cost = lambda a, b: (distance(points[a], points[b]) / (size[a] + size[b]), a, b)
    queue = [cost(a, b) for a in range(len(points)) for b in ring[a] if a < b]
    heapq.heapify(queue)
    left = len(points)
    while left > wanted:
        entry = heapq.heappop(queue)
        _, a, b = entry
        if b not in ring[a] or entry != cost(a, b) or len(ring[a] & ring[b]) != 2:
            continue
        if min(len(ring[v]) for v in ring[a] & ring[b]) < 5:
            continue
        points[a], size[a] = mean((points[a], points[b])), 0.5 * (size[a] + size[b])
        for i in star[b]:
            if a in faces[i]:
                for v in faces[i]:
                    if v != b:
                        star[v].discard(i)
                faces[i] = None
            else:
                faces[i] = tuple(a if v == b else v for v in faces[i])
                star[a].add(i)
        for v in ring[b]:
            ring[v].discard(b)
            if v != a:
                ring[v].add(a)
                ring[a].add(v)
        ring[b], star[b] = set(), set()
        left -= 1
        for v in ring[a]:
            heapq.heappush(queue, cost(*sorted((a, v))))
    return compact(points, [f for f in faces if f])


def compact(points, faces):
    """Drops points that no face names."""
    used = sorted({v for f in faces for v in f})
    number = {v: k for k, v in enumerate(used)}
    return [points[v] for v in used], [tuple(number[v] for v in f) for f in faces]


def flip_edges(points, faces):
    """One sweep of flips towards a Delaunay surface: opposite angles of an edge that sum to more than pi."""
    faces = list(faces)
    left = edge_faces(faces)
    ring = neighbours(len(points), faces)
    touched = set()

    def angle(at, a, b):
        u, v = sub(points[a], points[at]), sub(points[b], points[at])
        return math.atan2(length(cross(u, v)), dot(u, v))

    for (a, b), i in left.items():
        j = left[b, a]
        if a > b or i in touched or j in touched:
            continue
        c, = set(faces[i]) - {a, b}
        d, = set(faces[j]) - {a, b}
        if d in ring[c] or angle(c, a, b) + angle(d, a, b) < math.pi + 1e-6 or min(len(ring[a]), len(ring[b])) < 5:
            continue
        new = (c, a, d), (d, b, c)
        normals = [area_vector(points, f) for f in (faces[i], faces[j], *new)]
        if min(dot(normals[0], n) for n in normals) <= 0.0:
            continue
        faces[i], faces[j] = new
        touched |= {i, j}
        ring[a].discard(b), ring[b].discard(a), ring[c].add(d), ring[d].add(c)
    return faces


class Slope:
    """Value, gradient and wanted edge length of a distance field at a point, by central differences."""

    def __init__(self, field, p, h=2e-3):
        steps = ((h, 0.0, 0.0), (0.0, h, 0.0), (0.0, 0.0, h))
        self.value = field(p)
        pairs = [(field(along(p, 1.0, e)), field(along(p, -1.0, e))) for e in steps]
        self.gradient = tuple((a - b) / (2.0 * h) for a, b in pairs)
        bend = abs(sum(a + b - 2.0 * self.value for a, b in pairs)) / (h * h)  # 1/r1 + 1/r2
        self.size = 1.0 / (18.0 + 0.7 * min(bend, 150.0))

    def project(self, p):
        """One Newton step to the zero set."""
        return along(p, -self.value / dot(self.gradient, self.gradient), self.gradient)


def relax(field, points, faces, rounds):
    """Rounds of flips, tangential smoothing towards the wanted edge lengths, and projection onto `field` = 0."""
    for _ in range(rounds):
        faces = flip_edges(points, faces)
        ring = neighbours(len(points), faces)
        slopes = [Slope(field, p) for p in points]
        moved = []
        for p, near, slope in zip(points, ring, slopes):
            pull, total, g = (0.0, 0.0, 0.0), 0.0, slope.gradient
            for v in sorted(near):
                weight = distance(p, points[v]) / (slope.size + slopes[v].size)
                pull, total = along(pull, weight, sub(points[v], p)), total + weight
            pull = along(pull, -dot(pull, g) / dot(g, g), g)
            moved.append(slope.project(along(p, 0.6 / total, pull)))
        points = moved
    for _ in range(2):
        points = [Slope(field, p).project(p) for p in points]
    return points, faces


# ---------------------------------------------------------------- texture atlas

def box_atlas(points, faces):
    """Texture corners of a surface: charts of like-facing triangles, projected along an axis, packed on shelves.

    Returns (texture points in [0, 1]^2, per face three indices into them).
    """
    charts = charts_by_direction(points, faces)
    flat = []  # (height, width, {point: (u, v)}, faces) per chart
    for axis, sign, members in charts:
        normal = tuple(float(sign * (k == axis)) for k in range(3))
        up = (0.0, 0.0, -normal[1]) if axis == 1 else (0.0, 1.0, 0.0)
        right = cross(up, normal)
        where = {v: (dot(points[v], right), dot(points[v], up)) for f in members for v in faces[f]}
        low, high = bounds(where.values())
        where = {v: (a - low[0], b - low[1]) for v, (a, b) in where.items()}
        flat.append((high[1] - low[1], high[0] - low[0], where, members))
    flat.sort(key=lambda chart: -chart[0])
    sizes = [(w, h) for h, w, *_ in flat]
    whole = math.sqrt(sum(h * w for h, w, *_ in flat))
    size, places = min(pack(sizes, whole * (1.0 + 0.02 * k), 0.008) for k in range(50))
    texture, corner = [], [None] * len(faces)
    for (_, _, where, members), (x, y) in zip(flat, places):
        number = {v: len(texture) + k for k, v in enumerate(where)}
        texture += [((x + a) / size, (y + b) / size) for a, b in where.values()]
        for f in members:
            corner[f] = tuple(number[v] for v in faces[f])
    return texture, corner


def pack(sizes, width, gap):
    """Sets boxes (width, height), tallest first, on shelves: side of the square that holds them, their corners."""
    x = y = shelf = side = 0.0
    places = []
    for w, h in sizes:
        if x > 0.0 and x + w > width:
            x, y, shelf = 0.0, y + shelf + gap, 0.0
        places.append((x, y))
        side = max(side, x + w, y + h)
        x, shelf = x + w + gap, max(shelf, h)
    return side, places


def charts_by_direction(points, faces, smallest=24):
    """Connected charts [(axis, sign, faces)] of triangles that face the same way."""
    left = edge_faces(faces)
    near = [[left[f[(k + 1) % 3], f[k]] for k in range(3)] for f in faces]
    normal = [unit(area_vector(points, f)) for f in faces]
    ways = [(axis, sign) for axis in (2, 1, 0) for sign in (1, -1)]
    facing = lambda f, way: way[1] * normal[f][way[0]]
    label = [max(ways, key=lambda w: facing(f, w)) for f in range(len(faces))]
    for _ in range(6):  # smooth the borders between the labels
        label = [max(ways, key=lambda w: facing(f, w) + 0.15 * sum(label[g] == w for g in near[f])
                     if facing(f, w) > 0.25 else -1.0) for f in range(len(faces))]
    while True:
        groups = flood(near, label)
        merged = False
        for group in groups:
            around = sorted({label[g] for f in group for g in near[f]} - {label[group[0]]})
            around = [w for w in around if min(facing(f, w) for f in group) > 0.05]
            if len(group) < smallest and around:
                best = max(around, key=lambda w: sum(facing(f, w) for f in group))
                for f in group:
                    label[f] = best
                merged = True
                break
        if not merged:
            return [(*label[group[0]], group) for group in groups]


def flood(near, label):
    """Connected groups of equal label."""
    seen, groups = set(), []
    for start in range(len(label)):
        if start in seen:
            continue
        seen.add(start)
        group = [start]
        for f in group:
            for g in near[f]:
                if g not in seen and label[g] == label[f]:
                    seen.add(g)
                    group.append(g)
        groups.append(group)
    return groups


# ---------------------------------------------------------------- surfaces

def make_dog():
    field = dog_field()
    points, faces = marching_tetrahedra(field, (-0.55, -0.04, -0.26), (0.70, 0.93, 0.26), 0.0173)
    points, faces = collapse_to(points, faces, [Slope(field, p).size for p in points], 4004)
    points, faces = relax(field, points, faces, 15)
    low, high = bounds(points)
    scale = 1.0 / (high[0] - low[0])
    origin = ((low[0] + high[0]) / 2, low[1], 0.0)
    points = [tuple(scale * c for c in sub(p, origin)) for p in points]
    write_obj("dog.obj", points, faces, *box_atlas(points, faces))


def make_rings(turns=50, sides=20, radius=0.36, thickness=0.085):
    """Six tori in a pile; each sinks a little into those that it touches."""
    points, faces = [], []
    pile = [  # height, offset x and z, tilt about x and z
        (0.085, 0.00, 0.00, 0.00, 0.00),
        (0.236, 0.03, -0.02, 0.04, 0.03),
        (0.388, -0.03, 0.03, -0.03, -0.06),
        (0.540, 0.02, 0.03, 0.08, 0.04),
        (0.692, -0.03, -0.01, -0.03, 0.08),
        (0.842, 0.01, -0.02, -0.10, -0.04),
    ]
    for y, x, z, about_x, about_z in pile:
        first = len(points)
        for k in range(sides):
            b = 2.0 * math.pi * k / sides
            for j in range(turns):
                a = 2.0 * math.pi * (j + 0.5 * (k % 2)) / turns  # every second row shifted: even triangles
                r = radius + thickness * math.cos(b)
                p = (r * math.cos(a), thickness * math.sin(b), r * math.sin(a))
                s, c = math.sin(about_x), math.cos(about_x)
                p = (p[0], c * p[1] - s * p[2], s * p[1] + c * p[2])
                s, c = math.sin(about_z), math.cos(about_z)
                p = (c * p[0] - s * p[1], s * p[0] + c * p[1], p[2])
                points.append(along(p, 1.0, (x, y, z)))
        at = lambda k, j: first + k % sides * turns + j % turns
        for k, j in itertools.product(range(sides), range(turns)):
            s = k % 2
            faces.append((at(k, j), at(k + 1, j + s), at(k, j + 1)))
            faces.append((at(k, j + 1), at(k + 1, j + s), at(k + 1, j + s + 1)))
    write_ply("rings.ply", points, faces)


def make_rounded_cube(n=20, half=0.5, radius=0.15):
    """The cube grid of n^2 quads per side, laid evenly along the rounded profile."""
    core = half - radius
    reach = core + radius * math.pi / 4.0

    def profile(k):
        """Grid line -> (core coordinate, tangent of the angle around the rounded edge)."""
        s = reach * (2.0 * k / n - 1.0)
        t = min(max(s, -core), core)
        return t, math.tan((s - t) / radius)

    points, number, faces = [], {}, []

    def at(grid):
        if grid not in number:
            axis = next(a for a in range(3) if grid[a] in (0, n))
            lines = [profile(k) for k in grid]
            sign = 1.0 if grid[axis] else -1.0
            lines[axis] = (sign * core, sign)
            number[grid] = len(points)
            points.append(along(tuple(c for c, _ in lines), radius, unit(tuple(t for _, t in lines))))
        return number[grid]

    for axis, side in itertools.product(range(3), (0, n)):
        for u, v in itertools.product(range(n), range(n)):
            quad = []
            for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                grid = [0, 0, 0]
                grid[axis], grid[(axis + 1) % 3], grid[(axis + 2) % 3] = side, u + du, v + dv
                quad.append(at(tuple(grid)))
            faces += split(points, quad if side else quad[::-1])
    write_ply("rounded_cube.ply", points, faces)


def spline(knots, count):
    """`count` points at even arc length on the Catmull-Rom curve through `knots` (tuples of any size)."""
    ends = [knots[0], *knots, knots[-1]]
    fine = []
    for p0, p1, p2, p3 in zip(ends, ends[1:], ends[2:], ends[3:]):
        for t in (k / 32 for k in range(32)):
            fine.append(tuple(b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
                              for a, b, c, d in zip(p0, p1, p2, p3)))
    fine.append(knots[-1])
    run = [0.0, *itertools.accumulate(distance(a[:2], b[:2]) for a, b in itertools.pairwise(fine))]
    samples, k = [], 0
    for wanted in (run[-1] * i / (count - 1) for i in range(count)):
        while k < len(run) - 2 and run[k + 1] < wanted:
            k += 1
        t = (wanted - run[k]) / (run[k + 1] - run[k])
        samples.append(tuple(a + t * (b - a) for a, b in zip(fine[k], fine[k + 1])))
    return samples


def shell(start, rings, end, tile):
    """A closed shell from pole to pole through rings of equally many points, with its texture in `tile`.

    Rings turn so that the normal points outward when the rings run from `start` to `end`; tile is
    (u0, v0, u1, v1). The seam column is doubled in the texture only. Returns points, faces, texture, corners.
    """
    n, m = len(rings[0]), len(rings)
    points = [start, *itertools.chain(*rings), end]
    run = [0.0, *itertools.accumulate(distance(a, b) for a, b in itertools.pairwise(
        [start, *(ring[0] for ring in rings), end]))]
    place = lambda j, k: (tile[0] + (tile[2] - tile[0]) * j / n, tile[1] + (tile[3] - tile[1]) * run[k] / run[-1])
    texture = [place(j, k + 1) for k in range(m) for j in range(n + 1)]
    poles = len(texture)
    texture += [place(j + 0.5, k) for k in (0, m + 1) for j in range(n)]
    at = lambda k, j: (1 + k * n + j % n, k * (n + 1) + j)  # (point, texture point)
    corners = []
    for j in range(n):
        corners.append(((0, poles + j), at(0, j + 1), at(0, j)))
        corners.append(((len(points) - 1, poles + n + j), at(m - 1, j), at(m - 1, j + 1)))
    for k, j in itertools.product(range(m - 1), range(n)):
        a, b, c, d = at(k, j), at(k, j + 1), at(k + 1, j + 1), at(k + 1, j)
        if shorter(*(points[v] for v, _ in (a, c, b, d))):
            corners += [(a, b, c), (a, c, d)]
        else:
            corners += [(a, b, d), (b, c, d)]
    return points, [tuple(p for p, _ in f) for f in corners], texture, [tuple(t for _, t in f) for f in corners]


def tube(stations, n, flatten=1.0):
    """Rings around a planar path of stations (x, y, radius); the width along z is `flatten` times the radius."""
    rings = []
    for k, (x, y, r) in enumerate(stations):
        before, after = stations[max(k - 1, 0)], stations[min(k + 1, len(stations) - 1)]
        tx, ty, _ = unit((after[0] - before[0], after[1] - before[1], 0.0))
        turns = [2.0 * math.pi * j / n for j in range(n)]
        rings.append([(x - ty * r * math.cos(a), y + tx * r * math.cos(a), flatten * r * math.sin(a)) for a in turns])
    return rings


def make_teapot():
    """A teapot of three closed shells: body with lid and knob, spout, handle."""
    body = [(0.105, 0.0), (0.118, 0.006), (0.120, 0.016), (0.150, 0.040), (0.188, 0.095), (0.196, 0.150),
            (0.176, 0.205), (0.138, 0.240), (0.128, 0.250)]
    lid = [(0.112, 0.250), (0.112, 0.259), (0.104, 0.265), (0.075, 0.280), (0.040, 0.292), (0.021, 0.300),
           (0.018, 0.308), (0.029, 0.320), (0.034, 0.333), (0.028, 0.347), (0.014, 0.356)]
    n = 48
    outline = [(0.035, 0.0), (0.07, 0.0), *spline(body, 20), *spline(lid, 20)]
    rings = [[(r * math.cos(a), y, -r * math.sin(a)) for a in (2.0 * math.pi * j / n for j in range(n))]
             for r, y in outline]
    parts = [shell((0.0, 0.0, 0.0), rings, (0.0, 0.358, 0.0), (0.0, 0.40, 1.0, 1.0))]

    path = spline([(0.105, 0.105, 0.050), (0.140, 0.092, 0.052), (0.190, 0.100, 0.050), (0.235, 0.140, 0.036),
                   (0.262, 0.195, 0.026), (0.300, 0.244, 0.021)], 22)
    rings = tube(path, 22)
    (x0, y0, _), (x1, y1, _) = path[-2:]
    tx, ty, _ = unit((x1 - x0, y1 - y0, 0.0))
    lip = lambda depth, r: tube([(x1 - (depth + e) * tx, y1 - (depth + e) * ty, r) for e in (0.01, 0.0)], 22)[1]
    rings += [lip(-0.004, 0.017), lip(0.003, 0.013), lip(0.015, 0.010)]
    end = (x1 - 0.018 * tx, y1 - 0.018 * ty, 0.0)
    parts.append(shell((0.095, 0.110, 0.0), rings, end, (0.0, 0.0, 0.48, 0.38)))

    path = spline([(-0.120, 0.200, 0.018), (-0.190, 0.221, 0.018), (-0.248, 0.217, 0.019), (-0.281, 0.180, 0.019),
                   (-0.266, 0.130, 0.018), (-0.220, 0.092, 0.017), (-0.125, 0.082, 0.016)], 34)
    parts.append(shell((-0.114, 0.198, 0.0), tube(path, 16, 1.25), (-0.119, 0.082, 0.0), (0.52, 0.0, 1.0, 0.38)))

    points, faces, texture, corners = [], [], [], []
    for p, f, t, c in parts:
        faces += [tuple(v + len(points) for v in face) for face in f]
        corners += [tuple(v + len(texture) for v in face) for face in c]
        points += p
        texture += t
    write_obj("teapot.obj", points, faces, texture, corners)


# ---------------------------------------------------------------- tetrahedra

def aspect(points, tet):
    """Longest edge over smallest height."""
    corners = [points[v] for v in tet]
    longest = max(distance(a, b) for a, b in itertools.combinations(corners, 2))
    widest = max(length(cross(sub(b, a), sub(c, a))) for a, b, c in itertools.combinations(corners, 3))
    volume = six_volume(*corners)
    return longest * widest / volume if volume > 0.0 else math.inf


def lattice_tets(cubes):
    """Five tetrahedra per cube (i, j, k) of a lattice, mirrored with the parity of i + j + k; corners are (i, j, k)."""
    five = (((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), ((1, 1, 0), (0, 1, 0), (1, 0, 0), (1, 1, 1)),
            ((1, 0, 1), (0, 0, 1), (1, 1, 1), (1, 0, 0)), ((0, 1, 1), (1, 1, 1), (0, 0, 1), (0, 1, 0)),
            ((1, 0, 0), (1, 1, 1), (0, 1, 0), (0, 0, 1)))
    tets = []
    for i, j, k in cubes:
        flip = (i + j + k) % 2
        for tet in five:
            a, b, c, d = ((i + (x ^ flip), j + y, k + z) for x, y, z in tet)
            tets.append((b, a, c, d) if flip else (a, b, c, d))
    return tets


def make_sheet(columns=24, rows=24, width=1.2):
    """A flat, open sheet in the plane z = 0, its upper edge at y = 0: rows of equilateral triangles, straight at the sides."""
    side = width / columns
    height = side * math.sqrt(0.75)
    points, faces, first = [], [], []
    for j in range(rows + 1):
        first.append(len(points))
        inner = [i * side for i in range(columns + 1)]
        if j % 2:
            inner = [0.0] + [(i + 0.5) * side for i in range(columns)] + [width]
        points += [(x - width / 2, -j * height, 0.0) for x in inner]
    for j in range(rows):
        straight, shifted = (first[j], first[j + 1]) if j % 2 == 0 else (first[j + 1], first[j])
        row = [(straight + i, shifted + i, shifted + i + 1) for i in range(columns + 1)]
        row += [(straight + i, shifted + i + 1, straight + i + 1) for i in range(columns)]
        faces += row if j % 2 == 0 else [(a, c, b) for a, b, c in row]
    write_ply("sheet.ply", points, faces)


def make_bar(n=(10, 3, 3), size=(1.0, 0.25, 0.25), ratio=(1.3, 1.2, 1.2), shortest=0.012, worst=900.0):
    """A bar of tetrahedra that no mesher should make: graded, jittered, with slivers; all volumes positive."""
    rng = random.Random(7)
    lines = []
    for count, whole, q in zip(n, size, ratio):
        run = [0.0, *itertools.accumulate(q ** k for k in range(count))]
        lines.append([whole * v / run[-1] for v in run])
    grid = list(itertools.product(*(range(c + 1) for c in n)))
    points = [tuple(line[k] for line, k in zip(lines, i)) for i in grid]
    number = {i: v for v, i in enumerate(grid)}
    tets = [tuple(number[i] for i in t) for t in lattice_tets(itertools.product(*map(range, n)))]
    star = [[t for t in tets if v in t] for v in range(len(points))]

    def attempt(v, place, limit):
        old, points[v] = points[v], tuple(round(c, 7) for c in place)
        nearest = min(distance(points[v], points[w]) for t in star[v] for w in t if w != v)
        if nearest < shortest or max(aspect(points, t) for t in star[v]) > limit:
            points[v] = old

    for v, i in enumerate(grid):
        for _ in range(8):
            step = [0.0 if k in (0, c) else rng.uniform(-0.3, 0.3) * (line[k + 1] - line[k - 1])
                    for line, k, c in zip(lines, i, n)]
            attempt(v, along(points[v], 1.0, step), 60.0)
    inner = [v for v, i in enumerate(grid) if all(0 < k < c for k, c in zip(i, n))]
    for v in inner:  # push one corner almost onto the opposite face
        tet = rng.choice(star[v])
        a, b, c = (points[w] for w in tet if w != v)
        normal = unit(cross(sub(b, a), sub(c, a)))
        height = dot(sub(points[v], a), normal)
        longest = max(distance(p, q) for p, q in itertools.combinations((a, b, c), 2))
        kept = math.copysign(longest / rng.uniform(150.0, 600.0), height)
        attempt(v, along(points[v], kept - height, normal), worst)
    write_tets(points, tets)


TORUS = (0.35, 0.14, 0.07)  # radii of the ring and of its section, distance of neighbours


def make_torus():
    """Bare points on a torus that stands upright, every second ring half a place further."""
    ring, section, apart = TORUS
    sides, rings = round(2 * math.pi * section / apart), 2 * round(math.pi * ring / apart)
    points = []
    for k in range(rings):
        for j in range(sides):
            u, v = 2 * math.pi * k / rings, 2 * math.pi * (j + 0.5 * (k % 2)) / sides
            reach = ring + section * math.cos(v)
            points.append((reach * math.cos(u), reach * math.sin(u), section * math.sin(v)))
    save("torus.xyz", "# metres; made by tools/assets.py\n" + "".join(" ".join(map(text, p)) + "\n" for p in points))


# ---------------------------------------------------------------- writers

def text(value, digits=5):
    """A decimal without trailing zeros; 5 digits are 10 micrometres."""
    short = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def save(name, data):
    ASSETS.mkdir(exist_ok=True)
    path = ASSETS / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode("ascii"))
    print(f"{name}: {path.stat().st_size} bytes")


# Corners around a bowl; of its section, from the middle of its inside over the rim to that of its foot: radius and height.
BOWL = 24
BOWL_INSIDE = [(0.5 * math.sin(a), 0.5 - 0.45 * math.cos(a)) for a in (math.pi / 2 * k / 6 for k in range(1, 7))]
BOWL_SECTION = BOWL_INSIDE + [(0.56, 0.5), (0.54, 0.3), (0.4, 0.11), (0.2, 0.0)]


def make_bowl():
    """A closed surface of revolution that stands on y = 0: half an ellipsoid, taken out of something that has a foot."""
    points = [(0.0, 0.05, 0.0)]
    for radius, y in BOWL_SECTION:
        turns = (2.0 * math.pi * j / BOWL for j in range(BOWL))
        points += [(radius * math.cos(a), y, -radius * math.sin(a)) for a in turns]
    last = len(points)
    points.append((0.0, 0.0, 0.0))
    at = lambda ring, j: 1 + ring * BOWL + j % BOWL
    faces = []
    for j in range(BOWL):
        faces += [(0, at(0, j), at(0, j + 1)), (last, at(len(BOWL_SECTION) - 1, j + 1), at(len(BOWL_SECTION) - 1, j))]
        for ring in range(len(BOWL_SECTION) - 1):
            a, b, c, d = at(ring, j), at(ring + 1, j), at(ring + 1, j + 1), at(ring, j + 1)
            faces += [(a, b, c), (a, c, d)]
    out = ["# metres, Y up; made by tools/assets.py"]
    out += ["v " + " ".join(map(text, p)) for p in points]
    out += ["f " + " ".join(str(v + 1) for v in f) for f in faces]
    save("bowl.obj", "\n".join(out) + "\n")


def write_obj(name, points, faces, texture, corners):
    out = ["# metres, Y up; made by tools/assets.py"]
    out += ["v " + " ".join(map(text, p)) for p in points]
    out += ["vt " + " ".join(map(text, t)) for t in texture]
    out += ["f " + " ".join(f"{v + 1}/{t + 1}" for v, t in zip(f, c)) for f, c in zip(faces, corners)]
    save(name, "\n".join(out) + "\n")


def write_ply(name, points, faces):
    header = (f"ply\nformat binary_little_endian 1.0\ncomment metres, Y up; made by tools/assets.py\n"
              f"element vertex {len(points)}\nproperty float x\nproperty float y\nproperty float z\n"
              f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n")
    body = b"".join(struct.pack("<3f", *p) for p in points) + b"".join(struct.pack("<B3i", 3, *f) for f in faces)
    save(name, header.encode("ascii") + body)


def hull_faces(tets):
    """Faces of one tetrahedron only, outward."""
    open_faces = {}
    for a, b, c, d in tets:
        for face in ((a, c, b), (a, b, d), (a, d, c), (b, c, d)):
            if open_faces.pop(frozenset(face), None) is None:
                open_faces[frozenset(face)] = face
    return list(open_faces.values())


def write_tets(points, tets):
    """The same tetrahedra as TetGen, Gmsh 4.1 and 2.2 and VTK files."""
    hull = hull_faces(tets)
    outer = {v for f in hull for v in f}
    xyz = [" ".join(text(c, 7) for c in p) for p in points]
    join = lambda ids, first=1: " ".join(str(v + first) for v in ids)
    np, nt, nf = len(points), len(tets), len(hull)
    block = lambda lines: "".join(line + "\n" for line in lines)

    save("bar.node", f"# made by tools/assets.py\n{np} 3 0 1\n"
         + block(f"{i + 1} {p} {int(i in outer)}" for i, p in enumerate(xyz)))
    save("bar.ele", f"# made by tools/assets.py\n{nt} 4 0\n" + block(f"{i + 1} {join(t)}" for i, t in enumerate(tets)))

    box = " ".join(f"{c:g}" for b in bounds(points) for c in b)
    inside = [i for i in range(np) if i not in outer]
    blocks = f"$Nodes\n2 {np} 1 {np}\n"
    for dim, ids in ((2, sorted(outer)), (3, inside)):
        blocks += f"{dim} 1 0 {len(ids)}\n" + block(str(i + 1) for i in ids) + block(xyz[i] for i in ids)
    save("bar.msh", f"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 1 1\n1 {box} 0 0\n1 {box} 0 1 1\n"
         f"$EndEntities\n{blocks}$EndNodes\n$Elements\n2 {nf + nt} 1 {nf + nt}\n2 1 2 {nf}\n"
         + block(f"{i + 1} {join(f)}" for i, f in enumerate(hull)) + f"3 1 4 {nt}\n"
         + block(f"{nf + i + 1} {join(t)}" for i, t in enumerate(tets)) + "$EndElements\n")

    save("bar22.msh", f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{np}\n"
         + block(f"{i + 1} {p}" for i, p in enumerate(xyz)) + f"$EndNodes\n$Elements\n{nf + nt}\n"
         + block(f"{i + 1} 2 2 0 1 {join(f)}" for i, f in enumerate(hull))
         + block(f"{nf + i + 1} 4 2 0 1 {join(t)}" for i, t in enumerate(tets)) + "$EndElements\n")

    array = lambda kind, name, more, lines: (f'<DataArray type="{kind}" Name="{name}"{more} format="ascii">\n'
                                             + block(lines) + "</DataArray>\n")
    save("bar.vtu", '<?xml version="1.0"?>\n<!-- made by tools/assets.py -->\n'
         '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian">\n<UnstructuredGrid>\n'
         f'<Piece NumberOfPoints="{np}" NumberOfCells="{nt}">\n<Points>\n'
         + array("Float64", "Points", ' NumberOfComponents="3"', xyz) + "</Points>\n<Cells>\n"
         + array("Int64", "connectivity", "", (join(t, 0) for t in tets))
         + array("Int64", "offsets", "", [" ".join(str(4 * i + 4) for i in range(nt))])
         + array("UInt8", "types", "", [" ".join(["10"] * nt)])
         + "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n")


# ---------------------------------------------------------------- readers and checks

def require(true, message):
    if not true:
        sys.exit(f"assets.py: {message}")


def lines_of(name):
    return (ASSETS / name).read_text("ascii").splitlines()


def read_obj(name):
    """Points, faces, texture points, texture corners of what write_obj wrote."""
    rows = [line.split() for line in lines_of(name)]
    points, texture = ([tuple(map(float, r[1:])) for r in rows if r[0] == key] for key in ("v", "vt"))
    corners = [[tuple(int(i) - 1 for i in c.split("/")) for c in r[1:]] for r in rows if r[0] == "f"]
    return points, [tuple(c[0] for c in f) for f in corners], texture, [tuple(c[1] for c in f) for f in corners]


def read_ply(name):
    """Points and faces of what write_ply wrote, and no texture."""
    head, body = (ASSETS / name).read_bytes().split(b"end_header\n", 1)
    count = {w[1]: int(w[2]) for w in map(bytes.split, head.splitlines()) if w[0] == b"element"}
    split_at = 12 * count[b"vertex"]
    faces = list(struct.iter_unpack("<B3i", body[split_at:]))
    require(len(faces) == count[b"face"], f"{name}: faces missing")
    return list(struct.iter_unpack("<3f", body[:split_at])), [f[1:] for f in faces], [], []


def read_tets():
    """Points and tetrahedra of bar.node and bar.ele; the other bar files must hold the same ones."""
    rows = [[line.split() for line in lines_of(name)[2:]] for name in ("bar.node", "bar.ele")]
    points = [tuple(map(float, r[1:4])) for r in rows[0]]
    tets = [tuple(int(i) - 1 for i in r[1:]) for r in rows[1]]
    for name, first in (("bar.msh", 1), ("bar22.msh", 1), ("bar.vtu", 0)):
        ends = [line.split()[-4:] for line in lines_of(name)]
        wanted = [[str(v + first) for v in t] for t in tets]
        start = ends.index(wanted[0]) if wanted[0] in ends else 0
        require(ends[start:start + len(tets)] == wanted, f"{name}: other tetrahedra than bar.ele")
    return points, tets


def shells(points, faces):
    """Connected parts, as lists of faces."""
    left = edge_faces(faces)
    near = [[left[f[(k + 1) % 3], f[k]] for k in range(3)] for f in faces]
    return [[faces[i] for i in group] for group in flood(near, [0] * len(faces))]


def check_surface(name, points, faces, texture, corners, parts, euler):
    """Closed, manifold, outward, without degenerate triangles, of the topology wanted; prints the figures."""
    left = edge_faces(faces)
    require(len(left) == 3 * len(faces) and all((b, a) in left for a, b in left), f"{name}: not closed")
    found = shells(points, faces)
    require(len(found) == parts, f"{name}: {len(found)} shells, wanted {parts}")
    require({v for f in faces for v in f} == set(range(len(points))), f"{name}: unused points")
    require(len(set(points)) == len(points), f"{name}: points coincide")
    follow = {(f[k], f[(k + 1) % 3]): f[k - 1] for f in faces for k in range(3)}
    for v, ring in enumerate(neighbours(len(points), faces)):
        first = at = min(ring)
        walked = 0
        while walked == 0 or at != first:
            at, walked = follow[v, at], walked + 1
        require(walked == len(ring), f"{name}: point {v} joins two sheets")
    volume = 0.0
    for part in found:
        used = {v for f in part for v in f}
        require(len(used) - len(part) // 2 == euler, f"{name}: Euler characteristic {len(used) - len(part) // 2}")
        own = sum(dot(points[a], cross(points[b], points[c])) for a, b, c in part) / 6.0
        require(own > 0.0, f"{name}: a shell faces inward")
        volume += own
    worst, areas = math.pi, []
    for f in faces:
        areas.append(0.5 * length(area_vector(points, f)))
        for k in range(3):
            u, v = (sub(points[f[k - j]], points[f[k]]) for j in (1, 2))
            worst = min(worst, math.atan2(length(cross(u, v)), dot(u, v)))
    require(min(areas) > 1e-8 and worst > math.radians(5.0), f"{name}: degenerate triangle")
    if texture:
        flat = [(u, v, 0.0) for u, v in texture]
        require(all(0.0 <= c <= 1.0 for t in texture for c in t), f"{name}: texture outside [0, 1]")
        require(all(area_vector(flat, c)[2] > 0.0 for c in corners), f"{name}: texture triangle turned over")
    low, high = bounds(points)
    edges = [distance(points[a], points[b]) for a, b in left]
    print(f"{name}: {len(points)} points, {len(faces)} triangles, {parts} shells of Euler characteristic {euler}, "
          f"{len(texture)} texture points\n  volume {volume:.4f} m3, box {fmt(low)} to {fmt(high)}, "
          f"edges {min(edges):.4f} to {max(edges):.4f} m, smallest angle {math.degrees(worst):.1f} deg")


def fmt(p):
    return "(" + ", ".join(f"{c:.3f}" for c in p) + ")"


def check_bar():
    points, tets = read_tets()
    volumes = [six_volume(*(points[v] for v in t)) / 6.0 for t in tets]
    require(min(volumes) > 0.0, "bar: a tetrahedron is turned over")
    require(abs(sum(volumes) - 0.0625) < 1e-9, f"bar: volume {sum(volumes)}, wanted 0.0625")
    left = edge_faces(hull_faces(tets))
    require(all((b, a) in left for a, b in left), "bar: faces do not match")
    edges = {frozenset(e) for t in tets for e in itertools.combinations(t, 2)}
    sizes = sorted(distance(*(points[v] for v in e)) for e in edges)
    aspects = sorted(aspect(points, t) for t in tets)
    print(f"bar: {len(points)} points, {len(tets)} tetrahedra, {len(left) // 3} outer triangles\n  edges "
          f"{sizes[0]:.4f} to {sizes[-1]:.4f} m (x{sizes[-1] / sizes[0]:.0f}), aspect {aspects[0]:.1f} to "
          f"{aspects[-1]:.0f} (median {aspects[len(tets) // 2]:.1f}, {sum(a > 100 for a in aspects)} above 100), "
          f"volumes {min(volumes):.1e} to {max(volumes):.1e} m3")


# ---------------------------------------------------------------- embedding lattice

def check_bowl():
    lines = [line.split() for line in lines_of("bowl.obj")]
    points = [tuple(map(float, line[1:])) for line in lines if line[0] == "v"]
    faces = [tuple(int(v) - 1 for v in line[1:]) for line in lines if line[0] == "f"]
    check_surface("bowl", points, faces, [], [], 1, 2)


def check_torus():
    ring, section, apart = TORUS
    points = [tuple(map(float, line.split())) for line in lines_of("torus.xyz") if not line.startswith("#")]
    for x, y, z in points:
        require(abs(math.hypot(math.hypot(x, y) - ring, z) - section) < 2e-5, f"torus.xyz: {(x, y, z)} lies beside it")
    nearest = [min(distance(p, q) for q in points if q is not p) for p in points]
    require(0.5 * apart < min(nearest) and max(nearest) < 1.2 * apart, "torus.xyz: points lie too near or too far")
    print(f"torus.xyz: {len(points)} points, {min(nearest):.4f} to {max(nearest):.4f} m to the nearest")


def overlaps(centre, half, corners):
    """Whether a triangle touches a box: separating axes (Akenine-Moeller 2001)."""
    a, b, c = (sub(p, centre) for p in corners)
    sides = (sub(b, a), sub(c, b), sub(a, c))
    axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    for axis in (*axes, cross(sides[0], sides[1]), *(cross(u, s) for u in axes for s in sides)):
        reach = sum(h * abs(c) for h, c in zip(half, axis))
        shadow = dot(a, axis), dot(b, axis), dot(c, axis)
        if min(shadow) > reach or max(shadow) < -reach:
            return False
    return True


def winding(points, faces, p):
    """Generalised winding number (van Oosterom and Strackee 1983, sum of solid angles over 4 pi)."""
    total = 0.0
    for f in faces:
        a, b, c = (sub(points[v], p) for v in f)
        la, lb, lc = length(a), length(b), length(c)
        total += math.atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb)
    return total / (2.0 * math.pi)


def lattice(points, faces, cells, fitted):
    """Cubes (kept) of a lattice with `cells` along the longest side of the box, which lies at its centre.

    fitted: the lattice is stretched on the other axes until it has the sides of the box.
    """
    low, high = bounds(points)
    sides = sub(high, low)
    edge = max(sides) / cells
    n = [max(round(s / edge), 1) if fitted else math.ceil(s / edge - 1e-6) for s in sides]
    cell = [s / c for s, c in zip(sides, n)] if fitted else [edge] * 3
    origin = [0.5 * (l + h - c * k) for l, h, c, k in zip(low, high, cell, n)]
    half = [0.5 * c * (1.0 - 1e-9) for c in cell]
    middle = lambda i: tuple(o + (k + 0.5) * c for o, k, c in zip(origin, i, cell))
    kept = set()
    for f in faces:
        corners = [points[v] for v in f]
        a, b = bounds(corners)
        spans = [range(max(math.floor((l - o) / c), 0), min(math.floor((h - o) / c), m - 1) + 1)
                 for l, h, o, c, m in zip(a, b, origin, cell, n)]
        kept |= {i for i in itertools.product(*spans) if i not in kept and overlaps(middle(i), half, corners)}
    inside = {}  # cubes that the surface does not touch; two beside each other lie on the same side
    for i in itertools.product(*map(range, n)):
        if i not in kept:
            before = (i[0], i[1], i[2] - 1)
            inside[i] = inside[before] if before in inside else winding(points, faces, middle(i)) > 0.5
    return n, kept | {i for i, within in inside.items() if within}


def lattice_table(name, points, faces, wanted):
    """How large the embedded body becomes for each number of cells."""
    print(f"  lattice of {name}; wanted {wanted}\n  cells  | cubes of one size, centred           | fitted to the box")
    for cells in range(4, 13):
        columns = []
        for fitted in (False, True):
            n, kept = lattice(points, faces, cells, fitted)
            tets = lattice_tets(kept)
            body = {v for t in tets for v in t}
            springs = {frozenset(e) for t in tets for e in itertools.combinations(t, 2)}
            columns.append(f"{'x'.join(map(str, n)):>8}: {len(body)} points {len(springs)} springs "
                           f"{len(hull_faces(tets))} triangles {len(tets)} tets")
        print(f"  {cells:5}  | " + " | ".join(columns))


SURFACES = {  # name: (file, reader, shells, Euler characteristic of each, body wanted from the embedding)
    "dog": ("dog.obj", read_obj, 1, 2, "113 points 451 springs 216 triangles 232 tets"),
    "rings": ("rings.ply", read_ply, 6, 0, "322 points 1460 springs 572 triangles 860 tets"),
    "rounded_cube": ("rounded_cube.ply", read_ply, 1, 2, None),
    "teapot": ("teapot.obj", read_obj, 3, 2, None),
}


def check_sheet():
    points, faces, _, _ = read_ply("sheet.ply")
    normals = [area_vector(points, face) for face in faces]
    assert all(n[2] > 0.0 and n[0] == n[1] == 0.0 for n in normals), "sheet.ply: a triangle is turned over"
    low, high = bounds(points)
    covered = (high[0] - low[0]) * (high[1] - low[1])
    assert abs(sum(n[2] for n in normals) / (2.0 * covered) - 1.0) < 1e-5, "sheet.ply: gaps or overlaps"
    print(f"sheet.ply: {len(points)} points {len(faces)} triangles")


def check(name):
    if name == "bar":
        return check_bar()
    if name == "sheet":
        return check_sheet()
    if name == "torus":
        return check_torus()
    if name == "bowl":
        return check_bowl()
    file, reader, parts, euler, wanted = SURFACES[name]
    points, faces, texture, corners = reader(file)
    check_surface(file, points, faces, texture, corners, parts, euler)
    if wanted:
        lattice_table(file, points, faces, wanted)


MAKERS = {"dog": make_dog, "rings": make_rings, "rounded_cube": make_rounded_cube, "teapot": make_teapot,
          "sheet": make_sheet, "bar": make_bar, "torus": make_torus, "bowl": make_bowl}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(MAKERS)}; all when none is named")
    parser.add_argument("--check", action="store_true", help="check the files instead of writing them")
    options = parser.parse_args()
    for name in options.names:
        if name not in MAKERS:
            parser.error(f"asset '{name}' is unknown; wanted one of {', '.join(MAKERS)}")
    for name in options.names or MAKERS:
        if options.check:
            check(name)
        else:
            MAKERS[name]()


if __name__ == "__main__":
    sys.exit(main())
