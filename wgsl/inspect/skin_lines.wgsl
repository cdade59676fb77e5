// skin_lines: one thread per line of a particle. Moves it so that it starts on the drawn surface, where the vertex is that
// follows the particle most, d = sum_k w_k x_k - x.
// Reads particles_in, anchors, lines; changes segments.
#import shared/sim
#import shared/weighted

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(114) var<storage, read_write> segments: array<Segment>;
@group(0) @binding(120) var<uniform> lines: Lines;
@group(0) @binding(232) var<storage, read> anchors: array<SkinPoint>;

@compute @workgroup_size(64)
fn skin_lines(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= lines.count {
        return;
    }
    let i = lines.first + k;
    let way = weighted(anchors[i].corners, anchors[i].weights) - particles_in[i].position;
    segments[k].start += way;
    segments[k].end += way;
}
