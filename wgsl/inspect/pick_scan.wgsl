// pick_scan: one thread per range of drawn triangles or spheres of one body. The first that the ray hits, from whatever
// side; of several at one distance the one of the lowest index.
// Triangles: seen along the ray, it makes an area with each side; all of one sign where it passes through, and the weights
// of the corners. Two triangles see their common side alike, so that no ray passes between them.
// Reads pick_chunks, visible (per body), skin_indices, skin_positions, particles_in, beam; writes candidates.
#import shared/beam

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(19) var<storage, read> skin_positions: array<vec4f>;
@group(0) @binding(116) var<storage, read> pick_chunks: array<PickChunk>;
@group(0) @binding(117) var<storage, read> visible: array<u32>;
@group(0) @binding(130) var<storage, read> skin_indices: array<u32>;

// How far along the ray it meets a triangle [m]; below 0 where it does not.
fn triangle_distance(t: u32) -> f32 {
    let a = beam_view(skin_positions[skin_indices[3u * t]].xyz);
    let b = beam_view(skin_positions[skin_indices[3u * t + 1u]].xyz);
    let c = beam_view(skin_positions[skin_indices[3u * t + 2u]].xyz);
    let u = c.x * b.y - c.y * b.x;
    let v = a.x * c.y - a.y * c.x;
    let w = b.x * a.y - b.y * a.x;
    let area = u + v + w;
    let outside = min(min(u, v), w) < 0.0 && max(max(u, v), w) > 0.0;
    if outside || abs(area) < 1e-30 {
        return -1.0;
    }
    return (u * a.z + v * b.z + w * c.z) / area;
}

// The same of a sphere; from inside it meets the far side.
fn sphere_distance(i: u32, radius: f32) -> f32 {
    let c = beam_view(particles_in[i].position);
    let square = radius * radius - dot(c.xy, c.xy);
    if square < 0.0 {
        return -1.0;
    }
    let half = sqrt(square);
    return select(c.z + half, c.z - half, c.z > half);
}

@compute @workgroup_size(64)
fn pick_scan(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
             @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= beam.count {
        return;
    }
    let chunk = pick_chunks[i];
    var least = FAR;
    var index = NONE;
    if visible[chunk.body] > 0u {
        for (var e = chunk.first; e < chunk.end; e++) {
            var distance = -1.0;
            if chunk.radius > 0.0 {
                distance = sphere_distance(e, chunk.radius);
            } else {
                distance = triangle_distance(e);
            }
            if distance >= 0.0 && distance < least {
                least = distance;
                index = e;
            }
        }
    }
    let along = select(least, 0.0, index == NONE);
    candidates[i] = Candidate(beam.origin + along * beam.direction, least, index, chunk.body);
}
