// The particle that a thread takes where threads go through elements: neighbours go through equally many.
#import shared/topology

fn taken_particle(thread: u32) -> u32 {
    if HAS_ORDER {
        return thread + ((points[thread].areas & ~ASLEEP) >> TAKEN_SHIFT) - TAKEN_ZERO;
    }
    return thread;
}
