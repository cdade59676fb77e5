// body_pairs: one thread per body. A body touches another where their boxes, each widened by the reach of contact, overlap and
// their groups let them, and itself where it is folded; of two that are rigid their colliders do. `overlaps` has what it
// shares with each of them; the last place holds all that are too many. After these stands the box of the velocities of those
// that it touches.
// Reads boxes, folds; updates bodies; writes overlaps, contact_lists, grid: where it is folded, status: whether the step is too
// long.
#import shared/overlap_write

@compute @workgroup_size(64)
fn body_pairs(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let b = thread_index(group, lane, 64u);
    if b >= sim.body_count {
        return;
    }
    let body = bodies[b];
    let fastest_of_all = fastest(sim.body_count);
    let own = widened(b, body.radius, fastest_of_all);
    var touching = 0u;
    var gap = 3e38;
    var others = nobody();
    // Those of its replica.
    let size = select(collide.replica_size, sim.body_count, collide.replica_size == 0u);
    let first = replica(b) * size;
    let end = min(first + size, sim.body_count);
    for (var o = first; o < end; o++) {
        var both = own;
        if o == b {
            if !is_folded(b) {
                continue;
            }
            both = write_fold(b);
        } else if body.rigid + bodies[o].rigid < 2u
            && bodies_meet(vec2u(body.group, body.mask), vec2u(bodies[o].group, bodies[o].mask)) {
            both = in_common(own, widened(o, bodies[o].radius, fastest_of_all));
            both.b = body_bit(o);
        } else {
            continue;
        }
        if any(both.low > both.high) {
            let apart = both.low - both.high;
            gap = min(gap, max(apart.x, max(apart.y, apart.z)));
            continue;
        }
        write_overlap(b, touching, both);
        others = and_partner(others, o);
        touching++;
    }
    write_touching(b, touching, others);
    atomicMin(&contact_lists[LIST_GAP], bitcast<u32>(gap));
}
