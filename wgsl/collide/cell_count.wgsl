// cell_count: one thread per body. Its box, widened by the reach of contact, the cell of the grid of bodies that it stands in,
// and how many stand in each list of cells; one whose group or mask is empty meets no other and stands in none. None is noted
// yet of those that it meets.
// Reads boxes, bodies; updates cell_counts; writes bodies_placed, meetings.
#import shared/body_box
#import shared/body_grid

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(180) var<storage, read_write> bodies_placed: array<BodyCell>;
@group(0) @binding(181) var<storage, read_write> cell_counts: array<atomic<u32>>;
@group(0) @binding(184) var<storage, read_write> meetings: array<atomic<u32>>;

@compute @workgroup_size(64)
fn cell_count(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let b = thread_index(group, lane, 64u);
    if b >= sim.body_count {
        return;
    }
    let body = bodies[b];
    let box = widened(b, body.radius, fastest(sim.body_count));
    let length = longest_side(box.low, box.high);
    let level = body_level(length);
    let cell = body_cell(0.5 * (box.low + box.high), level);
    atomicStore(&meetings[meeting(b)], 0u);
    for (var k = 0u; k < BOX_WORDS; k++) {
        atomicStore(&meetings[meeting_rest(b) + k], NONE);
    }
    atomicStore(&meetings[meeting_rest(b) + BOX_WORDS], 0u);
    if body.group == 0u || body.mask == 0u {
        bodies_placed[b] = BodyCell(box.low, NONE, box.high, NONE, vec4u(vec3u(cell), level));
        return;
    }
    let list = body_list(cell, level, replica(b));
    bodies_placed[b] = BodyCell(box.low, b, box.high, list, vec4u(vec3u(cell), level));
    atomicAdd(&cell_counts[list], 1u);
    // Most find it as long as they need it, and leave it alone.
    let bits = max(bitcast<u32>(length), 1u);
    if bits > atomicLoad(&meetings[level]) {
        atomicMax(&meetings[level], bits);
    }
}
