//! pliant
fn main() {}
