// shape_fit: one thread per cluster of at most SLICE members; they come last. Sums w e q^T ... over them [Mueller et al. 2005,
// eq. 6 and 15; e: what a member is off the last rigid goal] and turns them into the cluster's goals [eq. 7-15].
// Such clusters are many, and threads beside each other read members beside each other: a workgroup for each would be idle for the
// most part. Such a cluster is one chunk, of four words of members (first, count, cluster, none); entry e of it lies at first + 64 e.
// Reads particles_in, rests, members, clusters, fits, bodies; updates cluster_states; writes goals.
#import shared/shape_members

@compute @workgroup_size(64)
fn shape_fit(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    let k = sim.long_cluster_count + i;
    if k >= sim.cluster_count {
        return;
    }
    let chunk = sim.long_chunk_count + i;
    let first = members[4u * chunk];
    let count = members[4u * chunk + 1u];
    let by = cluster_measure(k);
    var m = no_moments();
    for (var e = 0u; e < count; e++) {
        add_member(by, members[first + e * SLICE], &m);
    }
    cluster_solve(k, by.cluster, m, by.anchor.position, by.anchor.velocity);
}
