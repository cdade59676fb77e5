// The line forces on a particle: of each the mean over the step, whose impulse is exact however long the step.
#import shared/sim
#import shared/externals

// How much of the step [ticks] is over at a time: a tick and a part of one.
fn ticks_until(tick: u32, part: f32) -> f32 {
    return clamp(f32(i32(tick) - i32(sim.tick)) + part, 0.0, sim.span);
}

// The part of the step in which pull k acts.
fn pull_part(k: u32) -> f32 {
    let pull = externals.pulls[k];
    return (ticks_until(pull.to_tick, pull.to_part) - ticks_until(pull.from_tick, pull.from_part)) / sim.span;
}

fn pull_force(i: u32) -> vec3f {
    var force = vec3f();
    for (var k = 0u; k < sim.pull_count; k++) {
        if externals.pulls[k].particle == i {
            force += pull_part(k) * externals.pulls[k].force;
        }
    }
    return force;
}
