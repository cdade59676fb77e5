// What the impulses of a step start from.
#import shared/collide

// The last step's impulse, less a part of what that step changed of it: impulses that grow push back what they stop, in
// bodies that are damped so much that they move as one; less a part, they do not return it.
fn warm(last: Impulse) -> Impulse {
    var start = last;
    start.normal = max(0.0, last.normal - WARM_LOSS * abs(last.normal_change));
    let size = length(last.tangent);
    start.tangent = last.tangent * max(0.0, 1.0 - WARM_LOSS * last.tangent_change / max(size, 1e-30));
    start.normal_change = 0.0;
    start.tangent_change = 0.0;
    return start;
}
