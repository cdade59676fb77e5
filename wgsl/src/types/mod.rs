//! Everything that Rust and WGSL share: structs and constants, from which the text that kernels import as `types` and
//! `consts` is made.

#[macro_use]
mod shared;

mod body;
mod constants;
mod contact;
mod fem;
mod implicit;
mod inspect;
mod newton;
mod pose;
mod query;
mod render;
mod rigid;
mod shape;
mod sim;

pub use constants::*;
pub use shared::{Struct, Wgsl, symmetric};

macro_rules! rooms {
    ($($room:ident)*) => {
        $(pub use $room::*;)*

        /// All structs, those of which others are made first.
        pub fn structs() -> impl Iterator<Item = &'static Struct> {
            [$($room::STRUCTS),*].into_iter().flatten()
        }
    };
}
rooms!(sim body pose rigid shape contact fem implicit newton inspect query render);
