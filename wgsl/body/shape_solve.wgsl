// shape_solve: one thread per cluster of several chunks; they come first. Adds up what shape_fit left of its chunks, in their
// order, and turns it into the cluster's goals [Mueller et al. 2005, eq. 7-15].
// Reads clusters, fits, bodies; updates cluster_states and goals.
#import shared/shape

@compute @workgroup_size(64)
fn shape_solve(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= sim.cluster_count {
        return;
    }
    let cluster = clusters[k];
    if cluster.chunk_count < 2u {
        return;
    }
    let none = mat3x3f(vec3f(), vec3f(), vec3f());
    var m = Moments(none, none, none, vec3f(), vec3f(), vec3f(), Symmetric(vec3f(), vec3f()));
    let begin = (sim.cluster_count + cluster.chunk_first) * GOAL_ROWS;
    let count = cluster.chunk_count;
    for (var e = 0u; e < count; e++) {
        let row = begin + e * GOAL_ROWS;
        m.linear += mat3x3f(goals[row].xyz, goals[row + 1u].xyz, goals[row + 2u].xyz);
        m.squares += mat3x3f(goals[row + 3u].xyz, goals[row + 4u].xyz, goals[row + 5u].xyz);
        m.products += mat3x3f(goals[row + 6u].xyz, goals[row + 7u].xyz, goals[row + 8u].xyz);
        m.shift += goals[row + 9u].xyz;
        m.velocity += goals[row + 10u].xyz;
        m.spin += goals[row + 11u].xyz;
        m.spread.d += goals[row + 12u].xyz;
        m.spread.o += goals[row + 13u].xyz;
    }
    let anchor = vec3f(goals[begin].w, goals[begin + 1u].w, goals[begin + 2u].w);
    let pace = vec3f(goals[begin + 3u].w, goals[begin + 4u].w, goals[begin + 5u].w);
    cluster_solve(k, cluster, m, anchor, pace);
}
