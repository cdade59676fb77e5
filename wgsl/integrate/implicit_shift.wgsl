// implicit_shift: one thread per body. The velocity that gives it, or the island of bodies that press on each other or are tied
// to each other that it belongs to, the momentum of its step's equation, and 1; where something holds one of them or the
// island is in doubt, 0. Forces within do not feel it, so that the rest of the equation stays as it is. `touching` does not count
// what manifolds join.
// Reads bodies, momenta, tie_groups, islands, islands_next (0: in doubt), the latter two of the first of a group of bodies
// that are tied to each other; writes body_shifts.
#import shared/sim
#import content
#import shared/tie_groups

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(106) var<storage, read_write> momenta: array<vec4f>;
@group(0) @binding(110) var<storage, read> islands: array<u32>;
@group(0) @binding(111) var<storage, read> islands_next: array<u32>;
@group(0) @binding(107) var<storage, read_write> body_shifts: array<vec4f>;

// Adds what a body has to the sum; whether nothing holds it.
fn add_body(i: u32, sum: ptr<function, vec4f>) -> bool {
    let first = bodies[i].chunk_first;
    let end = first + bodies[i].chunk_count;
    var free = first < end;
    for (var k = first; k < end; k++) {
        let part = momenta[k];
        free = free && part.w > 0.0;
        *sum += part;
    }
    return free;
}

@compute @workgroup_size(64)
fn implicit_shift(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    var sum = vec4f();
    let own = tie_group(i);
    var free = true;
    if !HAS_POSES && bodies[i].touching == 0u && tie_groups[i] == i {
        free = add_body(i, &sum);
    } else {
        for (var k = 0u; k < sim.body_count; k++) {
            let other = tie_group(k);
            if islands[other] == islands[own] {
                free = add_body(k, &sum) && islands_next[other] > 0u && free;
            }
        }
    }
    let change = sum.xyz / (max(sum.w, 1e-30) * (1.0 + sim.step * sim.drag));
    body_shifts[i] = select(vec4f(), vec4f(change, 1.0), free);
}
