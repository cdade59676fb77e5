// The line forces on a particle.
#import shared/sim
#import shared/externals

fn pull_force(i: u32) -> vec3f {
    var force = vec3f();
    for (var k = 0u; k < sim.pull_count; k++) {
        let pull = externals.pulls[k];
        if pull.particle == i && pull.steps.x <= sim.step_index && sim.step_index < pull.steps.y {
            force += pull.force;
        }
    }
    return force;
}
