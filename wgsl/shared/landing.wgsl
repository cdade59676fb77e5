// What has come to bear on the other side in this step, faster than what rests.
#import types

fn has_landed(point: ManifoldPoint) -> bool {
    return point.approach > REBOUND_SPEED && point.impulse.w > 0.0;
}
