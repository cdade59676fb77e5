//! Checks of solids.

use std::collections::HashSet;

use super::limits::*;
use super::values::*;
use super::{check_name, quoted};
use crate::gpu::types::MAX_SOLIDS;
use crate::scene::format::FLOOR;
use crate::scene::{Scene, Solid, SolidShape};
use crate::{Error, Result};

impl Scene {
    pub(super) fn check_solids(&self) -> Result<()> {
        let count = self.solids.len() + usize::from(self.world.floor.is_some());
        if count > MAX_SOLIDS as usize {
            let want = format!("at most {MAX_SOLIDS} solids, the floor included");
            let last = self.named_solids().last().map_or_else(String::new, |solid| solid.label());
            return Err(Error::value(last, format!("solid number {count}"), want));
        }
        let mut names = HashSet::from([FLOOR.to_string()]);
        for solid in self.named_solids() {
            let at = solid.label();
            check_name(&format!("{at}.name"), &solid.name)?;
            check_solid(&at, &solid)?;
            if let Some(twice) = names.replace(solid.name) {
                let want = "a name that neither another solid nor the floor has";
                return Err(Error::value(format!("{at}.name"), quoted(&twice), want));
            }
        }
        Ok(())
    }

    /// Refuses a number that is no solid's: 0 is the floor.
    pub(super) fn check_solid_number(&self, field: &str, solid: u32) -> Result<()> {
        if solid == 0 && self.world.floor.is_none() {
            let want = "a number from 1, or a name: the world has no floor";
            return Err(Error::value(field, solid, want));
        }
        if solid as usize > self.solids.len() {
            let want = format!("at most {}, the number of solids", self.solids.len());
            return Err(Error::value(field, solid, want));
        }
        Ok(())
    }
}

fn check_solid(at: &str, solid: &Solid) -> Result<()> {
    let field = |key: &str| format!("{at}.{key}");
    vector(&field("position"), solid.position, LARGEST, "m")?;
    vector(&field("rotation"), solid.rotation, LARGEST, "rad")?;
    if let Some(friction) = solid.friction {
        not_negative(&field("friction"), friction, LARGEST, "")?;
    }
    not_negative(&field("restitution"), solid.restitution, 1.0, "")?;
    if solid.rotation != [0.0; 3] && !matches!(solid.shape, SolidShape::Box { .. }) {
        let want = "no such key: only boxes have a rotation; a plane has a normal";
        return Err(Error::value(field("rotation"), format!("{:?}", solid.rotation), want));
    }
    match solid.shape {
        SolidShape::Plane { normal } => {
            vector(&field("normal"), normal, LARGEST, "")?;
            if normal.iter().all(|x| x.abs() < SHORTEST) {
                let want = format!("a direction of length ≥ {SHORTEST:e}");
                return Err(Error::value(field("normal"), format!("{normal:?}"), want));
            }
            Ok(())
        }
        SolidShape::Sphere { radius } => positive(&field("radius"), radius, SHORTEST, LARGEST, "m"),
        SolidShape::Box { size } => size
            .iter()
            .try_for_each(|&length| positive(&field("size"), length, SHORTEST, LARGEST, "m")),
    }
}
