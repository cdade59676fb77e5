// pick_scan: one thread per range of drawn triangles or spheres of one body. The first that the ray hits, from whatever
// side; of several at one distance the one of the lowest index.
// Reads pick_chunks, visible (per body), skin_indices, skin_positions, particles_in, beam; writes candidates.
#import shared/beam
#import shared/ray

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(19) var<storage, read> skin_positions: array<vec4f>;
@group(0) @binding(116) var<storage, read> pick_chunks: array<PickChunk>;
@group(0) @binding(117) var<storage, read> visible: array<u32>;
@group(0) @binding(130) var<storage, read> skin_indices: array<u32>;

fn corner(t: u32, k: u32) -> vec3f {
    return beam_view(skin_positions[skin_indices[3u * t + k]].xyz);
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
                distance = ray_sphere(beam_view(particles_in[e].position), chunk.radius);
            } else {
                distance = ray_triangle(corner(e, 0u), corner(e, 1u), corner(e, 2u)).distance;
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
