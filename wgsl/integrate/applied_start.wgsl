// applied_start: one thread per particle, where an implicit step has begun. v* += h f/m with the caller's forces, which do not
// depend on the solution.
// Reads applied; updates base.
#import shared/sim

@group(0) @binding(10) var<storage, read_write> base: array<Particle>;
@group(0) @binding(142) var<storage, read> applied: array<vec4f>;

@compute @workgroup_size(64)
fn applied_start(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let start = base[i];
    base[i].velocity = start.velocity + (sim.step * start.inverse_mass) * applied[i].xyz;
}
