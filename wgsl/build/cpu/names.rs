//! Identifiers of Rust.

use std::collections::HashMap;

/// Names of WGSL that mean something else in Rust, or that generated code has a use for of its own.
const TAKEN: &str = " \
    Self abstract as async await become bool box break const continue crate do dyn else enum extern \
    f32 false final fn for gen i32 if impl in let loop macro match mod move mut override priv pub ref \
    return self static struct super trait true try type typeof u32 unsafe unsized use usize virtual \
    where while yield \
    arrays content gone groups invocation mask num_groups number place returned simd workgroup ";

/// As it is, or something like it that is an identifier.
pub fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    let name = name.trim_start_matches('_');
    match name {
        "" => "unnamed".to_owned(),
        _ if name.starts_with(|c: char| c.is_ascii_digit()) => format!("n{name}"),
        _ if TAKEN.contains(&format!(" {name} ")) => format!("{name}_"),
        _ => name.to_owned(),
    }
}

/// The names of one function, each of them once: variables that hide each other in WGSL stand side by side in the IR.
#[derive(Debug, Default)]
pub struct Names {
    used: HashMap<String, usize>,
}

impl Names {
    /// The name, numbered from the second time on.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let wanted = identifier(wanted);
        loop {
            let count = self.used.entry(wanted.clone()).or_default();
            *count += 1;
            if *count == 1 {
                return wanted;
            }
            let numbered = format!("{wanted}_{count}");
            if !self.used.contains_key(&numbered) {
                self.used.insert(numbered.clone(), 1);
                return numbered;
            }
        }
    }
}
