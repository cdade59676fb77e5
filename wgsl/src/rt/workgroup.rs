//! Workgroups: one thread runs all of a workgroup's invocations, each up to the next barrier.

use super::vector::Vec3;
use super::watch::{self, At};

/// `workgroup_id` of a workgroup by its number among all, which is entered.
#[inline(always)]
pub fn group_of(number: u32, [x, y, _]: [u32; 3]) -> Vec3<u32> {
    watch::enter(number);
    Vec3::new(number % x, number / x % y, number / x / y)
}

/// A condition that decides about barriers: that of the first invocation.
///
/// # Panics
/// In builds with debug assertions, when the invocations do not agree. On GPUs they would wait for each other for ever.
#[inline(always)]
pub fn uniform(invocations: usize, at: &'static At, condition: impl Fn(usize) -> bool) -> bool {
    let condition = |invocation| {
        watch::invocation(invocation);
        condition(invocation)
    };
    let decided = condition(0);
    if cfg!(debug_assertions) {
        let other = (1..invocations).find(|invocation| condition(*invocation) != decided);
        if let Some(other) = other {
            panic!(
                "{}: a barrier in control flow that is not uniform: it is {decided} for invocation 0, \
                 but not for invocation {other}",
                at.line()
            );
        }
    }
    decided
}
