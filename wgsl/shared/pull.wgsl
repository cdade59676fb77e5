// The line forces on a particle: of each the mean over the step, whose impulse is exact however long the step.
#import shared/sim
#import shared/externals

// How much of the step [ticks] is over at a time: a tick and a part of one.
fn ticks_until(tick: u32, part: f32) -> f32 {
    return clamp(f32(i32(tick) - i32(sim.tick)) + part, 0.0, sim.span);
}

fn pull_force(i: u32) -> vec3f {
    var force = vec3f();
    for (var k = 0u; k < sim.pull_count; k++) {
        let pull = externals.pulls[k];
        if pull.particle == i {
            let acts = ticks_until(pull.to_tick, pull.to_part) - ticks_until(pull.from_tick, pull.from_part);
            force += (acts / sim.span) * pull.force;
        }
    }
    return force;
}
