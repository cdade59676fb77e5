// implicit_shift: one workgroup per body. The change of velocity, as a whole, that gives it, or the island of bodies that press on
// each other or are tied to each other that it belongs to, the momentum and the angular momentum of its step's equation, and 1; where
// something holds one of them or the island is in doubt, 0. Forces within do not feel it, but for second orders of the turn, so that
// the rest of the equation stays as it is. `touching` does not count what manifolds join.
// Reads bodies, part_ranges, momenta, tie_groups, islands, islands_next (0: in doubt), the latter two of the first of a group of bodies
// that are tied to each other; writes body_shifts.
#import shared/sim
#import content
#import shared/tie_groups
#import shared/body_momentum
#import shared/momentum_rows

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(110) var<storage, read> islands: array<u32>;
@group(0) @binding(111) var<storage, read> islands_next: array<u32>;
@group(0) @binding(107) var<storage, read_write> body_shifts: array<BodyMotion>;

@compute @workgroup_size(64)
fn implicit_shift(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = group_index(group);
    if i >= sim.body_count {
        return;
    }
    let island = islands[tie_group(i)];
    let is_alone = !HAS_POSES && bodies[i].touching == 0u && tie_groups[i] == i;
    let first = select(0u, i, is_alone);
    let origin = body_origin(select(island - 1u, i, is_alone));
    var sum = no_momentum(origin);
    var held = false;
    let count = select(sim.body_count, 1u, is_alone);
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        let k = first + lane + WORKGROUP * turn;
        let other = tie_group(k);
        if is_alone || islands[other] == island {
            let own = body_momentum(k);
            held = held || is_held(own) || (!is_alone && islands_next[other] == 0u);
            sum = add_momentum(sum, momentum_about(own, origin));
        }
    }
    if lane < threads {
        leave_momentum(lane, sum, held);
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane == 0u {
        let all = joined_momentum(threads, origin);
        body_shifts[i] = BodyMotion();
        if !is_held(all) {
            body_shifts[i] = momentum_motion(all);
        }
    }
}
