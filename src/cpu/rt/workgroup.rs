//! Workgroups: one thread runs all of a workgroup's invocations, each up to the next barrier.

use super::vector::Vec3;

/// `workgroup_id` of a workgroup by its number among all.
#[inline(always)]
pub fn group_of(number: u32, [x, y, _]: [u32; 3]) -> Vec3<u32> {
    Vec3::new(number % x, number / x % y, number / x / y)
}

/// A condition that decides about barriers: that of the first invocation.
///
/// # Panics
/// In builds with debug assertions, when the invocations do not agree. On GPUs they would wait for each other for ever.
#[inline(always)]
pub fn uniform(invocations: usize, condition: impl Fn(usize) -> bool) -> bool {
    let decided = condition(0);
    if cfg!(debug_assertions) {
        let agree = (1..invocations).all(|invocation| condition(invocation) == decided);
        assert!(agree, "a barrier in control flow that is not uniform");
    }
    decided
}
