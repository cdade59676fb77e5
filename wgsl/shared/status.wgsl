// A state that is no longer one: not finite, or faster than anything real. The host learns the first step and body.
#import shared/sim

@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;

// Bits compare like values where the sign is 0, and NaN and infinity are the largest: a float comparison may be
// compiled as if NaN did not exist.
fn status_check(body: u32, x: vec3f, v: vec3f) {
    let speed2 = bitcast<u32>(dot(v, v)) & 0x7fffffffu;
    let distance2 = bitcast<u32>(dot(x, x)) & 0x7fffffffu;
    if speed2 > bitcast<u32>(sim.speed_limit * sim.speed_limit) || distance2 > 0x7f000000u {
        atomicMin(&status[STATUS_FAULT], sim.slot * sim.body_count + body);
    }
}

// Whether a step is too long for what happens in it: `load` is 1 where it is just short enough, and goes with the square
// of the step. The host takes such a step again with half the length.
fn status_load(load: f32) {
    if load > 1.0 && ~sim.slot > atomicLoad(&status[STATUS_LONG]) {
        atomicMax(&status[STATUS_LONG], ~sim.slot);
    }
    if sim.watch == WATCH_TENSE && load > TENSE_SHARE && sim.slot >= atomicLoad(&status[STATUS_TENSE]) {
        atomicMax(&status[STATUS_TENSE], sim.slot + 1u);
    }
}

// By the stiffness s [1/s^2] that a particle's or an element's deformation gives it: h^2 s against what the body's step
// bears.
fn status_stiffness(body: Body, stiffness: f32) {
    if sim.watch != WATCH_NOTHING && body.borne > 0.0 {
        status_load(sim.step * sim.step * stiffness / body.borne);
    }
}

// By the change of a particle's velocity [m/s]: a step should not change its way by more than an edge.
fn status_jump(body: Body, change: vec3f) {
    if sim.watch != WATCH_NOTHING {
        let way = (sim.step / (MOST_JUMP * body.edge)) * change;
        status_load(dot(way, way));
    }
}

// Learns the longest of the ways that are given to it. The word is STATUS_TRAVEL or STATUS_SHIFT.
fn status_way(word: u32, way: vec3f) {
    let way2 = bitcast<u32>(dot(way, way));
    // Most are shorter than what is known already.
    if way2 > atomicLoad(&status[word]) {
        atomicMax(&status[word], way2);
    }
}
