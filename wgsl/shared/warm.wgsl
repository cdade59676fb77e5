// What the impulses of a step start from.
#import shared/collide

// The last step's impulse, less a part of what that step changed of it. A body that is damped so much that it moves as
// one is stopped by an impulse that grows over steps, as by a spring; what the impulse loses here it does not give back.
// What is rigid is not damped so, and keeps it whole.
fn warm(last: Impulse, rigid: bool) -> Impulse {
    var start = last;
    let loss = select(WARM_LOSS, 0.0, rigid);
    start.normal = max(0.0, last.normal - loss * abs(last.normal_change));
    let size = length(last.tangent);
    start.tangent = last.tangent * max(0.0, 1.0 - loss * last.tangent_change / max(size, 1e-30));
    start.normal_change = 0.0;
    start.tangent_change = 0.0;
    return start;
}
