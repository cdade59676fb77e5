// sphere_count: one thread per particle. Finishes the lists of partners. A sphere whose centre is in a body of whose
// triangles it has none, because it is too deep, gets the nearest one of all. Of two spheres of one level that list each
// other the lower one has the record, and where only one lists the other, that one: whichever comes first in a scene, the
// same pairs touch. Counts the records.
// Reads particles_in, bodies, tested, tets, triangles; updates sphere_hits, hits; writes counts.
#import shared/tested
#import shared/sphere
#import shared/sphere_places
#import shared/sphere_surface

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(30) var<storage, read> tets: array<Tet>;
@group(0) @binding(31) var<storage, read_write> hits: array<u32>;
@group(0) @binding(40) var<storage, read_write> counts: array<u32>;

// The first triangle of a body, by halving.
fn first_triangle(body: u32) -> u32 {
    var low = 0u;
    var high = collide.triangle_count;
    for (var k = 0u; k < 32u; k++) {
        if low >= high {
            break;
        }
        let middle = (low + high) / 2u;
        if triangles[2u * middle].w < body {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

// The triangle of a body with the least score; NONE where all are flat.
fn nearest(x: vec3f, own: Body, body: u32) -> u32 {
    var best = NONE;
    var score = 0.0;
    for (var t = first_triangle(body); t < collide.triangle_count; t++) {
        if triangles[2u * t].w != body {
            break;
        }
        let near = near_triangle(x, own, t);
        if !near.is_flat && (best == NONE || near.score < score) {
            best = t;
            score = near.score;
        }
    }
    return best;
}

// Enters the nearest triangle of each body that holds the centre and has none in the list; how many triangles there are.
fn with_deep(i: u32, own: Body, before: u32) -> u32 {
    var count = before;
    let base = list_triangles(i);
    for (var place = 0u; place < MAX_HITS; place++) {
        let tet = hits[HIT_STRIDE * i + place];
        if tet == NONE {
            break;
        }
        let body = tested[tets[tet].corners.x].body;
        var listed = false;
        for (var k = 0u; k < count; k++) {
            listed = listed || triangles[2u * sphere_hits[base + k]].w == body;
        }
        if listed {
            continue;
        }
        let word = nearest(particles_in[i].position, own, body);
        if word != NONE && count < MAX_TRIANGLE_HITS {
            list_insert(base, count, word);
            count++;
        } else if word != NONE {
            sphere_hits[list_dropped(i)] += 1u;
        }
    }
    return count;
}

// Whether sphere i has the record of the pair with sphere j, which it lists.
fn has_record(i: u32, own: Body, j: u32) -> bool {
    if i < j || sphere_level(own) != sphere_level(bodies[tested[j].body]) {
        return true;
    }
    let count = sphere_hits[list_counts(j)];
    for (var k = 0u; k < count; k++) {
        if sphere_hits[list_spheres(j) + k] == i {
            return false;
        }
    }
    return true;
}

@compute @workgroup_size(64)
fn sphere_count(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let own = bodies[tested[i].body];
    if !(own.radius > 0.0) {
        return;
    }
    let surfaces = with_deep(i, own, sphere_hits[list_counts(i) + 1u]);
    sphere_hits[list_counts(i) + 1u] = surfaces;
    var mask = ((1u << surfaces) - 1u) << MAX_SPHERE_HITS;
    let spheres = sphere_hits[list_counts(i)];
    for (var k = 0u; k < spheres; k++) {
        if has_record(i, own, sphere_hits[list_spheres(i) + k]) {
            mask |= 1u << k;
        }
    }
    sphere_hits[list_mask(i)] = mask;
    counts[i] = countOneBits(mask);
    // Spheres have no records of points in tetrahedra.
    for (var k = 0u; k < HIT_STRIDE; k++) {
        hits[HIT_STRIDE * i + k] = NONE;
    }
}
