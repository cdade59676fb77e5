// query_ray: one thread per ray. The nearest triangle, sphere or solid that it meets nearer than its reach, from whatever
// side; of several at one distance the one of the lowest body, then of the lowest index; bodies come before solids. Ranges
// whose box the ray passes by, seen along its own axes, are left out; the box is a little larger, for what is rounded.
// Reads query_rays, query_pieces, query_bounds, query_elements, query_groups (per body), particles_in; writes ray_answers.
#import shared/query
#import shared/ray
#import shared/solids

@group(0) @binding(143) var<storage, read> query_bounds: array<Box>;
@group(0) @binding(144) var<storage, read> query_groups: array<u32>;
@group(0) @binding(145) var<storage, read> query_rays: array<QueryRay>;
@group(0) @binding(146) var<storage, read_write> ray_answers: array<RayAnswer>;

// A place as the ray sees it.
fn ray_view(ray: QueryRay, x: vec3f) -> vec3f {
    let r = x - ray.origin;
    return vec3f(dot(r, ray.right), dot(r, ray.up), dot(r, ray.direction));
}

// Whether it may meet something in a box nearer than so far.
fn ray_nears(ray: QueryRay, bounds: Box, reach: f32) -> bool {
    let middle = 0.5 * (bounds.low + bounds.high);
    let half = 0.5 * (bounds.high - bounds.low);
    let c = ray_view(ray, middle);
    let slack = 1e-5 * (length(c) + length(half)) + 1e-6 * length(middle);
    let size = vec3f(dot(half, abs(ray.right)), dot(half, abs(ray.up)), dot(half, abs(ray.direction))) + slack;
    return all(abs(c.xy) <= size.xy) && c.z >= -size.z && c.z - size.z <= reach;
}

// How far along the ray it meets the surface of a solid [m], from whatever side; below 0 where it does not.
fn ray_solid(ray: QueryRay, solid: Solid) -> f32 {
    if solid.kind == SOLID_SPHERE {
        return ray_sphere(ray_view(ray, solid.centre), solid.extent.x);
    }
    let away = ray.origin - solid.centre;
    if solid.kind == SOLID_PLANE {
        let slope = dot(ray.direction, solid.extent);
        return select(-1.0, -dot(away, solid.extent) / select(1.0, slope, abs(slope) > 1e-12), abs(slope) > 1e-12);
    }
    let inverse = vec4f(-solid.rotation.xyz, solid.rotation.w);
    let x = rotate(inverse, away);
    let d = rotate(inverse, ray.direction);
    // Between the two planes of each axis from `near` to `far`; along both where it is parallel to them.
    let slanted = abs(d) > vec3f(1e-12);
    let slope = select(vec3f(1.0), d, slanted);
    let one = (-solid.extent - x) / slope;
    let other = (solid.extent - x) / slope;
    let between = abs(x) <= solid.extent;
    let nears = select(select(vec3f(FAR), vec3f(-FAR), between), min(one, other), slanted);
    let fars = select(select(vec3f(-FAR), vec3f(FAR), between), max(one, other), slanted);
    let near = max(max(nears.x, nears.y), nears.z);
    let far = min(min(fars.x, fars.y), fars.z);
    if near > far {
        return -1.0;
    }
    return select(near, far, near < 0.0);
}

@compute @workgroup_size(64)
fn query_ray(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= query.count {
        return;
    }
    let ray = query_rays[i];
    var best = RayAnswer(vec3f(), ray.reach, vec3f(), NONE, vec3f(), NONE);
    var radius = 0.0;
    for (var k = 0u; k < query.piece_count; k++) {
        let piece = query_pieces[k];
        if (query_groups[piece.body] & query.mask) == 0u || !ray_nears(ray, query_bounds[k], best.distance) {
            continue;
        }
        for (var e = piece.first; e < piece.end; e++) {
            var met = RayTriangle(vec3f(), -1.0);
            if piece.radius > 0.0 {
                met.distance = ray_sphere(ray_view(ray, particles_in[e].position), piece.radius);
            } else {
                met = ray_triangle(ray_view(ray, corner(e, 0u)), ray_view(ray, corner(e, 1u)), ray_view(ray, corner(e, 2u)));
            }
            if met.distance >= 0.0 && met.distance < best.distance {
                best = RayAnswer(vec3f(), met.distance, vec3f(), piece.body, met.weights, e);
                radius = piece.radius;
            }
        }
    }
    for (var s = 0u; s < query.solid_count; s++) {
        let distance = ray_solid(ray, externals.solids[s]);
        if distance >= 0.0 && distance < best.distance {
            best = RayAnswer(vec3f(), distance, vec3f(), NONE, vec3f(), s);
        }
    }
    if best.element == NONE {
        ray_answers[i] = best;
        return;
    }
    best.position = ray.origin + best.distance * ray.direction;
    if best.body == NONE {
        best.normal = solid_distance(externals.solids[best.element], best.position, 0.0).normal;
    } else if radius > 0.0 {
        best.normal = (best.position - particles_in[best.element].position) / radius;
    } else {
        let a = corner(best.element, 0u);
        let across = cross(corner(best.element, 1u) - a, corner(best.element, 2u) - a);
        best.normal = across / max(length(across), 1e-30);
    }
    ray_answers[i] = best;
}
