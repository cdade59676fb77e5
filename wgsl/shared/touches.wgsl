// Sums of what a body's contacts with another body, or with a solid, did to it.
#import shared/sim

// Adds what came later; of the two the deeper contact stays, of equal ones the first.
fn touch_add(sum: TouchSum, more: TouchSum) -> TouchSum {
    var both = sum;
    both.impulse += more.impulse;
    both.normal_impulse += more.normal_impulse;
    both.contacts += more.contacts;
    if more.depth > sum.depth {
        both.place = more.place;
        both.depth = more.depth;
        both.normal = more.normal;
    }
    return both;
}
