// The lists of what each body touched in a submission: bodies and solids, MAX_TOUCHES of them.
#import shared/touches

@group(0) @binding(154) var<storage, read_write> touch_lists: array<TouchSum>;
@group(0) @binding(155) var<storage, read_write> touch_counts: array<u32>;
@group(0) @binding(156) var<storage, read_write> touch_dropped: array<u32>;

// Adds a sum of the present step; contacts that there is no room for are counted.
fn touch_enter(body: u32, part: TouchSum) {
    let first = MAX_TOUCHES * body;
    let count = touch_counts[body];
    var place = count;
    for (var k = 0u; k < MAX_TOUCHES; k++) {
        if k >= place {
            break;
        }
        if touch_lists[first + k].other == part.other {
            place = k;
        }
    }
    if place == MAX_TOUCHES {
        touch_dropped[body] += part.contacts;
        return;
    }
    var sum = part;
    if place < count {
        sum = touch_add(touch_lists[first + place], part);
    } else {
        touch_counts[body] = count + 1u;
    }
    if sum.last != sim.slot + 1u {
        sum.steps++;
        sum.last = sim.slot + 1u;
    }
    touch_lists[first + place] = sum;
}
