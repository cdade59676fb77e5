// Indices in and past the end of arrays of all kinds: which, and the index.
@group(0) @binding(0) var<storage, read> which: vec2u;
@group(0) @binding(1) var<storage, read> numbers: array<vec3f>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;
@group(0) @binding(3) var<storage, read_write> parts: array<array<u32, 3>>;
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;

var<private> own: array<u32, 4>;
var<workgroup> shared_words: array<u32, 4>;

const TABLE = array(5u, 6u, 7u, 8u);

fn change(word: ptr<function, u32>) {
    *word = 1u;
}

@compute @workgroup_size(1)
fn overruns() {
    let k = which.y;
    var local = array(1u, 2u, 3u, 4u);
    var direction = vec4f();
    switch which.x {
        case 0u: {
            out[0] = u32(numbers[k].y);
        }
        case 1u: {
            out[k] = 1u;
        }
        case 2u: {
            parts[0][k] = 1u;
        }
        case 3u: {
            atomicAdd(&counts[k], 1u);
        }
        case 4u: {
            out[0] = local[k];
        }
        case 5u: {
            local[k] = 1u;
        }
        case 6u: {
            own[k] = 1u;
        }
        case 7u: {
            shared_words[k] = 1u;
        }
        case 8u: {
            out[0] = shared_words[k];
        }
        case 9u: {
            out[0] = TABLE[k];
        }
        case 10u: {
            direction[k] = 1.0;
        }
        default: {
            change(&local[k]);
        }
    }
    out[1] = local[0] + own[0] + u32(direction.x);
}
