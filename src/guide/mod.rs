//! Six short chapters:
//!
//! 1. [First body](first_body): from a description to a state.
//! 2. [Materials](materials): springs, finite elements, shape matching, and how stiff they are.
//! 3. [Contact](contact): what touches what, friction, obstacles.
//! 4. [Embedding](embedding): the world in a program of yours, its device, what the program does to it.
//! 5. [Reading results](reading): the state, questions, sums, contact events, with and without a wait.
//! 6. [Speed](speed): what a step costs, and how to make it cost less.
//!
//! Each has examples that the tests run. All that they use is plain data in [`scene`](crate::scene), a
//! [`World`](crate::World) that is made of it, and what is asked of that world.
#![deny(rustdoc::broken_intra_doc_links)]

#[doc = include_str!("first_body.md")]
pub mod first_body {}

#[doc = include_str!("materials.md")]
pub mod materials {}

#[doc = include_str!("contact.md")]
pub mod contact {}

#[doc = include_str!("embedding.md")]
pub mod embedding {}

#[doc = include_str!("reading.md")]
pub mod reading {}

#[doc = include_str!("speed.md")]
pub mod speed {}
