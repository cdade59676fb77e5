// applied_load: one thread per particle. The caller's forces over the mass, beside the accelerations by elements and ties that
// have just been written (w 0 and -1), in place of what stood where none were (w 1, from here).
// Reads particles_in, applied; updates loads.
#import shared/sim

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(60) var<storage, read_write> loads: array<vec4f>;
@group(0) @binding(142) var<storage, read> applied: array<vec4f>;

@compute @workgroup_size(64)
fn applied_load(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = part_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let load = loads[i];
    let elements = select(load.xyz, vec3f(), load.w > 0.5);
    loads[i] = vec4f(elements + particles_in[i].inverse_mass * applied[i].xyz, 1.0);
}
