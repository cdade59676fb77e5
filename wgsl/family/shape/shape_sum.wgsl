// shape_sum: PART_LANES threads per chunk of a cluster of more than SLICE members. Sums w e q^T ... over them [Mueller et al.
// 2005, eq. 6 and 15; e: what a member is off the last rigid goal], which shape_solve adds up.
// A chunk is four words of members (first, count, cluster, where its sums go); entry e of it lies at first + e.
// Reads particles_in, rests, members, clusters, bodies, cluster_states; writes goals.
#import shared/shape_members
#import shared/part_sums

const PART_ROWS: u32 = MOMENT_ROWS;

fn leave_matrix(lane: u32, row: u32, a: mat3x3f) {
    leave_row(lane, row, vec4f(a[0], 0.0));
    leave_row(lane, row + 1u, vec4f(a[1], 0.0));
    leave_row(lane, row + 2u, vec4f(a[2], 0.0));
}

@compute @workgroup_size(64)
fn shape_sum(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u) / PART_LANES;
    let own = lane % PART_LANES;
    var chunk = vec4u();
    if c < sim.long_chunk_count {
        chunk = vec4u(members[4u * c], members[4u * c + 1u], members[4u * c + 2u], members[4u * c + 3u]);
    }
    let by = cluster_measure(chunk.z);
    var m = no_moments();
    let turns = part_turns(chunk.y, own);
    for (var turn = 0u; turn < turns; turn++) {
        add_member(by, members[chunk.x + own + PART_LANES * turn], &m);
    }
    leave_matrix(lane, 0u, m.linear);
    leave_matrix(lane, 3u, m.squares);
    leave_matrix(lane, 6u, m.products);
    leave_row(lane, 9u, vec4f(m.shift, 0.0));
    leave_row(lane, 10u, vec4f(m.velocity, 0.0));
    leave_row(lane, 11u, vec4f(m.spin, 0.0));
    leave_row(lane, 12u, vec4f(m.spread.d, 0.0));
    leave_row(lane, 13u, vec4f(m.spread.o, 0.0));
    workgroupBarrier();
    if c < sim.long_chunk_count {
        let rows = part_turns(MOMENT_ROWS, own);
        for (var turn = 0u; turn < rows; turn++) {
            let row = own + PART_LANES * turn;
            goals[(sim.cluster_count + chunk.w) * GOAL_ROWS + row] = sum_row(lane / PART_LANES, row, PART_LANES);
        }
    }
}
