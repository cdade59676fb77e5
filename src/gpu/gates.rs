//! Dispatches that the device lets through or not.

use std::sync::{Arc, Mutex, PoisonError};

use glam::UVec4;

use super::{Buffer, Context};
use crate::Result;

/// Ways to dispatch (numbers of workgroups through a gate) of one set of gates at the most.
const MOST: usize = 256;

/// Gates: a kernel on the device writes the workgroups of each way to dispatch, 0 while its gate is closed. Which ways there
/// are shows when passes are recorded through them.
#[derive(Clone, Debug)]
pub struct Gates(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Workgroups, and the gate, of each way.
    plan: Buffer<UVec4>,
    /// Three words for each way.
    groups: Buffer<u32>,
    ways: Mutex<Ways>,
}

#[derive(Debug, Default)]
struct Ways {
    list: Vec<UVec4>,
    uploaded: usize,
}

impl Gates {
    /// Gates without ways.
    ///
    /// # Errors
    /// A lost device.
    pub fn new(context: &Context) -> Result<Self> {
        Ok(Self(Arc::new(Inner {
            plan: Buffer::zeroed(context, "gate_plan", MOST)?,
            groups: Buffer::indirect(context, "gates", 3 * MOST)?,
            ways: Mutex::default(),
        })))
    }

    /// The ways, for the kernel that opens and closes gates.
    #[must_use]
    pub fn plan(&self) -> &Buffer<UVec4> {
        &self.0.plan
    }

    /// Where it writes the workgroups of each.
    #[must_use]
    pub fn groups(&self) -> &Buffer<u32> {
        &self.0.groups
    }

    /// The index of a way, which is a new one where it has not been recorded before.
    ///
    /// # Panics
    /// When there are too many ways: a mistake in this crate.
    pub(super) fn way(&self, [x, y, z]: [u32; 3], gate: u32) -> usize {
        let mut ways = self.0.ways.lock().unwrap_or_else(PoisonError::into_inner);
        let way = UVec4::new(x, y, z, gate);
        let known = ways.list.iter().position(|known| *known == way);
        known.unwrap_or_else(|| {
            assert!(ways.list.len() < MOST, "too many ways through gates");
            ways.list.push(way);
            ways.list.len() - 1
        })
    }

    /// Tells the device of ways that were recorded for the first time, of which those through the gate `open` are open until
    /// a kernel decides otherwise. Takes effect before the next submission.
    pub fn upload(&self, context: &Context, open: u32) {
        let mut ways = self.0.ways.lock().unwrap_or_else(PoisonError::into_inner);
        let first = ways.uploaded;
        let new = &ways.list[first..];
        let groups = new.iter().flat_map(|way| match way.w == open {
            true => [way.x, way.y, way.z],
            false => [0; 3],
        });
        self.0.plan.write(context, first, new);
        let groups: Vec<_> = groups.collect();
        self.0.groups.write(context, 3 * first, &groups);
        ways.uploaded = ways.list.len();
    }
}
