// cell_overlaps: one thread per body. From those that the body was noted to meet, in ascending order, what body_pairs puts
// down; of one that meets more than were noted one by one, a single box around what it shares with all. Leaves the levels of the
// grid of bodies empty.
// Reads boxes, folds; updates bodies, meetings; writes overlaps, contact_lists, grid: where it is folded, status: whether the step
// is too long.
#import shared/overlap_write
#import shared/body_grid

@group(0) @binding(184) var<storage, read_write> meetings: array<u32>;

// Insertion sort of words.
fn sort_words(first: u32, count: u32) {
    for (var k = 1u; k < count; k++) {
        let word = meetings[first + k];
        var place = k;
        for (var step = 0u; step < k; step++) {
            let before = meetings[first + place - 1u];
            if before <= word {
                break;
            }
            meetings[first + place] = before;
            place--;
        }
        meetings[first + place] = word;
    }
}

fn shared_with(own: Box, o: u32, fastest_of_all: vec3f) -> Box {
    var both = in_common(own, widened(o, bodies[o].radius, fastest_of_all));
    both.b = body_bit(o);
    return both;
}

// The words of those that are too many, from `word` on.
fn rest_at(word: u32) -> Box {
    return box_of(vec3u(meetings[word], meetings[word + 1u], meetings[word + 2u]),
                  vec3u(meetings[word + 3u], meetings[word + 4u], meetings[word + 5u]));
}

// Of those that were noted one by one, and itself.
fn write_each(b: u32, count: u32, own: Box, fastest_of_all: vec3f) {
    let first = meeting(b) + 1u;
    sort_words(first, count);
    var others = nobody();
    var touching = 0u;
    var folded = is_folded(b);
    for (var k = 0u; k < count + 1u; k++) {
        let o = select(NONE, meetings[first + min(k, MAX_MEETINGS - 1u)], k < count);
        if folded && b < o {
            folded = false;
            write_overlap(b, touching, write_fold(b));
            others = and_partner(others, b);
            touching++;
        }
        if k < count {
            write_overlap(b, touching, shared_with(own, o, fastest_of_all));
            others = and_partner(others, o);
            touching++;
        }
    }
    write_touching(b, touching, others);
}

// Of more: which of them were noted one by one is left to chance, what all share with it is not.
fn write_all(b: u32, count: u32, own: Box, fastest_of_all: vec3f) {
    let rest = meeting_rest(b);
    var all = rest_at(rest);
    all.b = meetings[rest + BOX_WORDS];
    // How thick those are that were not noted is not known.
    var others = Partners(rest_at(rest + 6u), 0.0);
    for (var k = 0u; k < MAX_MEETINGS; k++) {
        let o = meetings[meeting(b) + 1u + k];
        all = around(all, shared_with(own, o, fastest_of_all));
        others = and_partner(others, o);
    }
    for (var k = 0u; k < MAX_OVERLAPS; k++) {
        write_overlap(b, k, nothing());
    }
    write_overlap(b, MAX_OVERLAPS - 1u, all);
    var touching = count;
    if is_folded(b) {
        write_overlap(b, 0u, write_fold(b));
        others = and_partner(others, b);
        touching++;
    }
    write_touching(b, touching, others);
}

@compute @workgroup_size(64)
fn cell_overlaps(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let b = thread_index(group, lane, 64u);
    if b < BODY_LEVELS {
        meetings[b] = 0u;
    }
    if b >= sim.body_count {
        return;
    }
    let fastest_of_all = fastest(sim.body_count);
    let own = widened(b, bodies[b].radius, fastest_of_all);
    let count = meetings[meeting(b)];
    if count > MAX_MEETINGS {
        write_all(b, count, own, fastest_of_all);
    } else {
        write_each(b, count, own, fastest_of_all);
    }
}
