// tie_gather: one thread per tied particle. a = sum w f / m over its ties in order, w 1 at the point that is tied and -w_j at what
// it is tied to, so that the forces of a tie add up to nothing; beside the accelerations by elements that have just been
// written (w 0), in place of what stood where none were (w 1, from applied_load; w -1, from here).
// Reads particles_in, tie_forces, tie_rows, tie_ends; updates loads.
#import shared/sim

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(60) var<storage, read_write> loads: array<vec4f>;
@group(0) @binding(159) var<storage, read> tie_forces: array<vec4f>;
@group(0) @binding(160) var<storage, read> tie_rows: array<TieRow>;
@group(0) @binding(161) var<storage, read> tie_ends: array<TieEnd>;

@compute @workgroup_size(64)
fn tie_gather(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= arrayLength(&tie_rows) {
        return;
    }
    let row = tie_rows[k];
    var force = vec3f();
    for (var e = row.first; e < row.end; e++) {
        let end = tie_ends[e];
        force += end.weight * tie_forces[end.tie].xyz;
    }
    let load = loads[row.dof];
    let elements = select(load.xyz, vec3f(), abs(load.w) > 0.5);
    loads[row.dof] = vec4f(elements + particles_in[row.dof].inverse_mass * force, -1.0);
}
