// shape_sum: one workgroup per chunk of a cluster of more than SLICE members. Sums w e q^T ... over them [Mueller et al.
// 2005, eq. 6 and 15; e: what a member is off the last rigid goal], which shape_solve adds up.
// A chunk is four words of members (first, count, cluster, where its sums go); entry e of it lies at first + e.
// Reads particles_in, rests, members, clusters, bodies, cluster_states; writes moments.
#import shared/shape_members
#import shared/moment_rows

@group(0) @binding(77) var<storage, read_write> moments: array<vec4f>;

@compute @workgroup_size(64)
fn shape_sum(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = group_index(group);
    if c >= sim.long_chunk_count {
        return;
    }
    let chunk = vec4u(members[4u * c], members[4u * c + 1u], members[4u * c + 2u], members[4u * c + 3u]);
    let by = cluster_measure(chunk.z);
    var m = no_moments();
    let count = chunk.y;
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        add_member(by, members[chunk.x + lane + WORKGROUP * turn], &m);
    }
    let rows = moment_rows(cluster_mode(by.cluster), by.moving);
    if lane < threads {
        leave_moments(lane, m, rows);
    }
    workgroupBarrier();
    join_rows(lane, threads, rows);
    workgroupBarrier();
    if lane < rows {
        moments[chunk.w * MOMENT_ROWS + lane] = joined_row(threads, lane);
    }
}
