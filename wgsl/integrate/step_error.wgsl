// step_error: one thread per particle. The largest of |x_a - x_b|^2 over all particles, x_a after one step of twice the
// length, x_b after two steps [step doubling: Press et al. 2007, section 17.2]. Bits of numbers that are not negative
// compare like the numbers, and what is no number is the largest.
// Reads particles_in (x_b), doubled (x_a); updates the last word of status.
#import shared/sim

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(105) var<storage, read> doubled: array<Particle>;

@compute @workgroup_size(64)
fn step_error(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let way = doubled[i].position - particles_in[i].position;
    let square = bitcast<u32>(dot(way, way)) & 0x7fffffffu;
    // Most are less than what is known already.
    if square > atomicLoad(&status[STATUS_ERROR]) {
        atomicMax(&status[STATUS_ERROR], square);
    }
}
