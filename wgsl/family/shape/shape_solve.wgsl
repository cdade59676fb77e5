// shape_solve: one thread per cluster of more than SLICE members; they come first. Adds up what shape_sum left of its chunks, in
// their order, and turns it into the cluster's goals [Mueller et al. 2005, eq. 7-15].
// Reads particles_in, clusters, fits, bodies; updates cluster_states and goals.
#import shared/shape

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;

fn goal_columns(row: u32) -> mat3x3f {
    return mat3x3f(goals[row].xyz, goals[row + 1u].xyz, goals[row + 2u].xyz);
}

@compute @workgroup_size(64)
fn shape_solve(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= sim.long_cluster_count {
        return;
    }
    let cluster = clusters[k];
    var m = no_moments();
    let begin = (sim.cluster_count + cluster.chunk_first) * GOAL_ROWS;
    for (var e = 0u; e < cluster.chunk_count; e++) {
        let row = begin + e * GOAL_ROWS;
        m.linear += goal_columns(row);
        m.squares += goal_columns(row + 3u);
        m.products += goal_columns(row + 6u);
        m.shift += goals[row + 9u].xyz;
        m.velocity += goals[row + 10u].xyz;
        m.spin += goals[row + 11u].xyz;
        m.spread.d += goals[row + 12u].xyz;
        m.spread.o += goals[row + 13u].xyz;
    }
    let anchor = particles_in[cluster.anchor];
    cluster_solve(k, cluster, m, anchor.position, anchor.velocity);
}
