// What a world holds, as far as one translation for all of them is told of it.
#import content
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

fn flag(place: u32) -> u32 {
    return select(0u, place, HAS_POSES);
}

@compute @workgroup_size(1)
fn holds() {
    out[0] = flag(5u);
    if HAS_SOLIDS && out[0] == 5u {
        out[0] += 100u;
    }
}
