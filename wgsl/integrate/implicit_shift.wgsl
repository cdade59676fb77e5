// implicit_shift: one thread per body. The velocity that gives it the momentum of its step's equation, and 1; where
// something holds it, 0. Forces within a body do not feel it, so that the rest of the equation stays as it is.
// Reads bodies, momenta; writes body_shifts.
#import shared/sim

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(106) var<storage, read_write> momenta: array<vec4f>;
@group(0) @binding(107) var<storage, read_write> body_shifts: array<vec4f>;

@compute @workgroup_size(64)
fn implicit_shift(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                  @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    let first = bodies[i].chunk_first;
    let end = first + bodies[i].chunk_count;
    var sum = vec4f();
    var free = first < end;
    for (var k = first; k < end; k++) {
        let part = momenta[k];
        free = free && part.w > 0.0;
        sum += part;
    }
    let change = sum.xyz / (max(sum.w, 1e-30) * (1.0 + sim.step * sim.drag));
    body_shifts[i] = select(vec4f(), vec4f(change, 1.0), free);
}
