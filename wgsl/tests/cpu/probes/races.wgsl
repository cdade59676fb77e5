// Mistakes, one for each number in `which`, and beside each its like without the mistake.
@group(0) @binding(0) var<storage, read> which: u32;
@group(0) @binding(1) var<storage, read_write> out: array<u32, 130>;
@group(0) @binding(2) var<storage, read_write> count: atomic<u32>;

fn put(place: u32, value: u32) {
    out[place] = value;
}

@compute @workgroup_size(64)
fn races(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    switch which {
        case 0u: { // each its own word
            put(i, i);
        }
        case 1u: { // two write the same
            put(i / 2u, 7u);
        }
        case 2u: { // of different workgroups
            put(i % 64u, i);
        }
        case 3u: { // one reads what the next writes
            out[i] = out[i + 1u];
        }
        case 4u: { // what all read, the last writes
            let first = out[0];
            if i == 127u {
                out[0] = first;
            }
        }
        case 5u: { // all read the same
            out[i + 1u] = out[0];
        }
        default: { // all write the same
            atomicAdd(&count, 1u);
            atomicStore(&count, atomicLoad(&count) + 1u);
        }
    }
}
