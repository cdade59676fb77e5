//! What the program, the benchmarks and the tests reach of the inside. No part of the interface: it changes without notice.

use crate::gpu::types::Contact;
use crate::model::Model;
use crate::{Buffer, Context, Error, Result, Shared, World};

macro_rules! reach {
    ($($module:ident)*) => {
        $(pub mod $module {
            pub use crate::$module::*;
        })*
    };
}
reach!(body collide cpu extreme family gpu integrate model number prim reference setup step verify);

/// A buffer under the name that a kernel has for it.
pub fn bind<'a, T: Shared>(buffer: &'a Buffer<T>, name: &'a str) -> gpu::Binding<'a> {
    buffer.bind(name)
}

/// Whether kernels run eight invocations at a time where they may, as they do unless they are told.
///
/// # Errors
/// Where no CPU threads compute.
pub fn set_lanes(context: &Context, on: bool) -> Result<()> {
    let none = || Error::Device(format!("{} has no CPU threads", context.info().name));
    context.threads().ok_or_else(none)?.set_lanes(on);
    Ok(())
}

/// The inside of a [`World`].
pub trait Inside {
    /// The constant arrays on the host.
    fn model(&self) -> &Model;
    /// The records of points in other bodies, as the last search found them and with the last step's gaps.
    ///
    /// # Errors
    /// When the device is lost.
    fn contact_records(&mut self) -> Result<Vec<Contact>>;
}

impl Inside for World {
    fn model(&self) -> &Model {
        World::model(self)
    }

    fn contact_records(&mut self) -> Result<Vec<Contact>> {
        World::contact_records(self)
    }
}
