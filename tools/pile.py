#!/usr/bin/env python3
"""Writes scenes/soft_pile.toml: mixed soft bodies on a loose grid, which fall together in a box that is open at the top.

    tools/pile.py [--bodies N] [--out FILE]

Only the standard library is used. The same numbers give the same bytes each time.
"""

import argparse
import math
import random
from pathlib import Path

SCENE = Path(__file__).resolve().parent.parent / "scenes" / "soft_pile.toml"
INNER, HEIGHT, THICK = 2.6, 1.0, 0.2  # of the box [m]
ALONG = 6  # bodies along x and along z in each layer
PITCH, RISE = 0.43, 0.4  # of the grid, along the ground and upward [m]
JITTER = 0.02  # greatest shift off the grid along each axis [m]
TURN = 0.4  # greatest angle about each axis [rad]
RINGS = '{ file = "../assets/rings.ply", cells = 3 }'
ROUNDED = '{ file = "../assets/rounded_cube.ply", cells = 2 }'
KINDS = [  # how often, name, mesh, scale, size and height of the middle of what that gives [m]
    (5, "cube", "{ lattice = [2, 2, 2], size = [0.2, 0.2, 0.2] }", 1.0, (0.2, 0.2, 0.2), 0.0),
    (2, "small cube", "{ lattice = [1, 1, 1], size = [0.12, 0.12, 0.12] }", 1.0, (0.12, 0.12, 0.12), 0.0),
    (5, "bar", "{ lattice = [3, 1, 1], size = [0.3, 0.1, 0.1] }", 1.0, (0.3, 0.1, 0.1), 0.0),
    (4, "tile", "{ lattice = [2, 2, 1], size = [0.24, 0.24, 0.12] }", 1.0, (0.24, 0.24, 0.12), 0.0),
    (2, "rounded cube", ROUNDED, 0.2, (0.2, 0.2, 0.2), 0.0),
    (2, "rings", RINGS, 0.2, (0.19, 0.194, 0.19), 0.0965),
]
HEAD = f"""# Two hundred soft bodies of several shapes fall together in a box of {INNER} m that is open at the top.
# Written by tools/pile.py.

[world]
duration = 6.0
"""


def triple(values):
    return "[" + ", ".join(f"{round(v, 4) + 0.0:g}" for v in values) + "]"


def solids():
    """The ground, and a wall on each side."""
    yield '[[solid]]\nkind = "plane"\n'
    off = (INNER + THICK) / 2
    for x, z in ((off, 0.0), (-off, 0.0), (0.0, off), (0.0, -off)):
        size = (THICK if x else INNER + 2 * THICK, HEIGHT, THICK if z else INNER + 2 * THICK)
        position = triple((x, HEIGHT / 2, z))
        yield f'[[solid]]\nkind = "box"\nposition = {position}\nsize = {triple(size)}\n'


def upward(angles):
    """Where the y axis points after turns about the fixed x, then y, then z axis."""
    (cx, cy, cz), (sx, sy, sz) = (tuple(map(f, angles)) for f in (math.cos, math.sin))
    x, y, z = sx * sy, cx, sx * cy
    return (cz * x - sz * y, sz * x + cz * y, z)


def bodies(count):
    """One body in each place of the grid, layer by layer from the ground."""
    rng = random.Random(1)
    mix = [kind for often, *kind in KINDS for _ in range(often)]
    for number in range(count):
        layer, rest = divmod(number, ALONG * ALONG)
        i, k = divmod(rest, ALONG)
        name, mesh, scale, size, middle = mix[rng.randrange(len(mix))]
        assert math.hypot(*size) < min(PITCH, RISE) - 2 * JITTER, "neighbours never touch, however they are turned"
        angles = [round(rng.uniform(-TURN, TURN), 3) for _ in range(3)]
        grid = (i - (ALONG - 1) / 2, layer + 0.6, k - (ALONG - 1) / 2)
        up = upward(angles)
        place = [pitch * g + rng.uniform(-JITTER, JITTER) - middle * u for pitch, g, u in zip((PITCH, RISE, PITCH), grid, up)]
        scaled = "" if scale == 1.0 else f"scale = {triple([scale] * 3)}\n"
        yield (
            f'[[body]]\nname = "{name} {number + 1}"\nmesh = {mesh}\n{scaled}position = {triple(place)}\n'
            f"rotation = {triple(angles)}\ndensity = 500.0\nyoung = 3e5\nrelaxation = 0.003\n"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bodies", type=int, default=200)
    parser.add_argument("--out", type=Path, default=SCENE)
    arguments = parser.parse_args()
    text = "\n".join([HEAD, *solids(), *bodies(arguments.bodies)])
    arguments.out.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
