//! Contacts of bodies that have been put elsewhere.

use std::ops::Range;

use super::Collision;
use crate::Result;
use crate::gpu::types::{Impulse, NONE};
use crate::gpu::{Context, Recorder};

impl Collision {
    /// Lets the next step search.
    pub fn search_again(&self, recorder: &mut Recorder<'_>) {
        let arrays = self.arrays();
        recorder.copy(&arrays.plan, &arrays.dispatches);
    }

    /// Leaves nothing of the contacts that bodies had, of which these are all the particles: neither a way out nor an impulse.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn forget(
        &self,
        context: &Context,
        particles: &Range<usize>,
        bodies: &[usize],
    ) -> Result<()> {
        let sized = &self.arrays().sized;
        let mut contacts = self.contacts(context)?;
        let mut impulses = sized.impulses.read_part(context, 0..contacts.len())?;
        let mut changed = false;
        for (contact, impulse) in contacts.iter_mut().zip(&mut impulses) {
            let corners = contact.particles.to_array();
            let own = |i: &u32| *i != NONE && particles.contains(&(*i as usize));
            let touched = bodies.contains(&(contact.body as usize));
            if touched || corners.iter().chain([&contact.second]).any(own) {
                changed = true;
                (contact.particles.x, contact.body) = (NONE, NONE);
                *impulse = Impulse {
                    partner: NONE,
                    body: NONE,
                    ..Impulse::default()
                };
            }
        }
        if changed {
            sized.contacts.write(context, 0, &contacts);
            sized.impulses.write(context, 0, &impulses);
        }
        Ok(())
    }
}
