// A sphere's list while it is filled: words in ascending order, and which one leaves it when it is full.
#import shared/sphere_list

@group(0) @binding(81) var<storage, read_write> sphere_hits: array<u32>;

// What leaves a full list: of equal keys the highest word, so that what stays does not depend on the order of the calls.
struct Worst {
    key: f32,
    word: u32,
    place: u32,
}

fn worst_of(worst: Worst, key: f32, word: u32, place: u32) -> Worst {
    if place == 0u || key > worst.key || (!(key < worst.key) && word > worst.word) {
        return Worst(key, word, place);
    }
    return worst;
}

fn list_insert(base: u32, count: u32, word: u32) {
    var place = count;
    for (var k = 0u; k < count; k++) {
        if sphere_hits[base + place - 1u] < word {
            break;
        }
        sphere_hits[base + place] = sphere_hits[base + place - 1u];
        place--;
    }
    sphere_hits[base + place] = word;
}

fn list_remove(base: u32, count: u32, place: u32) {
    for (var k = place + 1u; k < count; k++) {
        sphere_hits[base + k - 1u] = sphere_hits[base + k];
    }
}

// Puts a word in the place of the worst one of a full list, unless it is that.
fn list_replace(i: u32, base: u32, count: u32, worst: Worst, word: u32) {
    sphere_hits[list_dropped(i)] += 1u;
    if worst.place < count {
        list_remove(base, count, worst.place);
        list_insert(base, count - 1u, word);
    }
}
