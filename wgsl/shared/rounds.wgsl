// Passes that the device lets run in a step: three words each of `dispatches` for degrees of freedom and for records, from `word` on;
// without workgroups until then [contact_watch].
#import shared/collide

@group(0) @binding(52) var<storage, read_write> dispatches: array<atomic<u32>>;

// Whether this is the first to let them run.
fn let_run(word: u32) -> bool {
    if atomicLoad(&dispatches[word]) > 0u {
        return false;
    }
    atomicStore(&dispatches[word], collide.particle_groups.x);
    atomicStore(&dispatches[word + 1u], collide.particle_groups.y);
    atomicStore(&dispatches[word + 2u], 1u);
    atomicStore(&dispatches[word + 3u], collide.record_groups.x);
    atomicStore(&dispatches[word + 4u], collide.record_groups.y);
    atomicStore(&dispatches[word + 5u], 1u);
    return true;
}
