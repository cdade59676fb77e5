// A state that is no longer one: not finite, or faster than anything real. The host learns the first step and body.
#import shared/sim

@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;

// Bits compare like values where the sign is 0, and NaN and infinity are the largest: a float comparison may be
// compiled as if NaN did not exist.
fn status_check(body: u32, x: vec3f, v: vec3f) {
    let speed2 = bitcast<u32>(dot(v, v)) & 0x7fffffffu;
    let distance2 = bitcast<u32>(dot(x, x)) & 0x7fffffffu;
    if speed2 > bitcast<u32>(sim.speed_limit * sim.speed_limit) || distance2 > 0x7f000000u {
        atomicMin(&status[0], sim.slot * sim.body_count + body);
    }
}

// Learns the longest of the ways that are given to it. The word is TALLY_TRAVEL or TALLY_SHIFT.
fn status_way(word: u32, way: vec3f) {
    let place = 1u + sim.body_count + word;
    let way2 = bitcast<u32>(dot(way, way));
    // Most are shorter than what is known already.
    if way2 > atomicLoad(&status[place]) {
        atomicMax(&status[place], way2);
    }
}
