//! What a world holds, and which kernels care.

#[cfg(feature = "verify")]
use naga::{
    back::wgsl,
    compact::{KeepUnused, compact},
    valid::{Capabilities, ValidationFlags, Validator},
};

use super::flags::FLAGS;
#[cfg(feature = "verify")]
use super::{Composed, compose_for, validate};

/// What a world holds. Kernels made for it leave out what it has not: software drivers run through both sides of every
/// branch, and at least once through every loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct Content {
    /// Bodies whose elements have constants of their own.
    pub heterogeneous: bool,
    /// Triangles whose areas are kept.
    pub areas: bool,
    /// Bodies of elements with passes of their own.
    pub loads: bool,
    /// Obstacles.
    pub solids: bool,
    /// Bodies that can touch each other or themselves.
    pub contact: bool,
    /// Rigid degrees of freedom.
    pub poses: bool,
    /// Threads that take particles in an order of their own.
    pub order: bool,
}

impl Content {
    /// All that kernels know.
    pub const ALL: Self = Self {
        heterogeneous: true,
        areas: true,
        loads: true,
        solids: true,
        contact: true,
        poses: true,
        order: true,
    };

    /// Each thing by the name that kernels know it by.
    fn flags(self) -> [(&'static str, bool); FLAGS.len()] {
        let Self { heterogeneous, areas, loads, solids, contact, poses, order } = self;
        let held = [heterogeneous, areas, loads, solids, contact, poses, order];
        std::array::from_fn(|flag| (FLAGS[flag], held[flag]))
    }

    /// As constants of WGSL.
    pub(super) fn text(self) -> String {
        let line = |(name, value)| format!("const HAS_{name}: bool = {value};\n");
        self.flags().map(line).concat()
    }
}

#[cfg(feature = "verify")]
impl Content {
    /// Bodies of plain springs alone.
    pub const NONE: Self = Self {
        heterogeneous: false,
        areas: false,
        loads: false,
        solids: false,
        contact: false,
        poses: false,
        order: false,
    };

    fn holding(
        [heterogeneous, areas, loads, solids, contact, poses, order]: [bool; FLAGS.len()],
    ) -> Self {
        Self { heterogeneous, areas, loads, solids, contact, poses, order }
    }

    /// Whether it holds all that the other does.
    #[must_use]
    pub fn holds(self, other: Self) -> bool {
        let mut pairs = self.flags().into_iter().zip(other.flags());
        pairs.all(|((_, own), (_, other))| own || !other)
    }

    /// The contents that a kernel is compared in: all that it asks for, all but one, one alone, nothing of it; what it does not
    /// ask for is always held. Of those that give the same code the first, [`Self::ALL`] before others. They grow by two
    /// with each flag, where all contents would double.
    ///
    /// # Panics
    /// When there is no such kernel, or it does not compile.
    #[must_use]
    pub fn compositions(kernel: &str) -> Vec<Self> {
        let all = compose_for(kernel, Self::ALL).text;
        let flags = Self::ALL.flags().into_iter().enumerate();
        let asked: Vec<usize> = flags
            .filter(|(_, (name, _))| all.matches(&format!("HAS_{name}")).count() > 1)
            .map(|(flag, _)| flag)
            .collect();
        let with = |held: &dyn Fn(usize) -> bool| {
            Self::holding(std::array::from_fn(|flag| held(flag) || !asked.contains(&flag)))
        };
        let but_one = asked.iter().map(|one| with(&|flag| flag != *one));
        let alone = asked.iter().map(|one| with(&|flag| flag == *one));
        // Whether it makes a difference takes compiling to find out.
        let mut codes = Vec::new();
        let mut contents: Vec<_> = std::iter::once(Self::ALL).chain(but_one).chain(alone).collect();
        contents.push(with(&|_| false));
        contents.retain(|content| {
            let code = code_of(&compose_for(kernel, *content));
            let new = !codes.contains(&code);
            codes.push(code);
            new
        });
        contents
    }
}

/// `heterogeneous, areas, loads, solids, contact, poses`, as far as it holds them.
impl std::fmt::Display for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let held = self.flags().into_iter().filter(|(_, held)| *held);
        let names: Vec<_> = held.map(|(name, _)| name.to_lowercase()).collect();
        match names.is_empty() {
            true => f.write_str("nothing"),
            false => f.write_str(&names.join(", ")),
        }
    }
}

#[cfg(feature = "verify")]
/// What the entry points of a kernel run, without anything that they do not reach.
fn code_of(composed: &Composed) -> String {
    let (mut module, _) = validate(composed).unwrap_or_else(|message| panic!("{message}"));
    // Named constants would be kept.
    let constants: Vec<_> = module.constants.iter().map(|(handle, _)| handle).collect();
    for handle in constants {
        module.constants[handle].name = None;
    }
    compact(&mut module, KeepUnused::No);
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
    let info = info.expect("what is left of a valid module is one");
    wgsl::write_string(&module, &info, wgsl::WriterFlags::empty()).expect("a String grows")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_reached_makes_another_composition() {
        let lacks = |kernel| -> Vec<_> {
            let compositions = Content::compositions(kernel);
            assert_eq!(compositions[0], Content::ALL, "{kernel}");
            let flags = |content: &Content| content.flags().map(|(_, held)| held);
            let some = |k: usize| compositions.iter().any(|content| !flags(content)[k]);
            let names = Content::ALL.flags().map(|(name, _)| name);
            let lacks: Vec<_> = (0..FLAGS.len()).filter(|k| some(*k)).map(|k| names[k]).collect();
            assert_eq!(compositions.len(), (1 << lacks.len()).min(2 * lacks.len() + 2), "{kernel}");
            lacks
        };
        assert_eq!(
            lacks("verlet"),
            ["HETEROGENEOUS", "AREAS", "LOADS", "SOLIDS", "CONTACT", "ORDER"]
        );
        assert_eq!(lacks("half_back"), ["HETEROGENEOUS", "AREAS", "LOADS"]);
        assert_eq!(lacks("internal_force"), ["HETEROGENEOUS", "AREAS"]);
        assert_eq!(lacks("probe_apply"), ["HETEROGENEOUS", "ORDER"]);
        assert_eq!(lacks("contact_move"), ["SOLIDS"]);
        assert_eq!(lacks("contact_solve"), ["POSES"]);
        assert_eq!(lacks("skin_points"), ["SOLIDS"]);
        // They import functions that ask, and call none of them.
        assert!(lacks("fem_force").is_empty());
        assert!(lacks("scan_apply").is_empty());
    }

    #[test]
    fn contents_are_called_by_what_they_hold() {
        assert_eq!(
            Content::ALL.to_string(),
            "heterogeneous, areas, loads, solids, contact, poses, order"
        );
        assert_eq!(Content::NONE.to_string(), "nothing");
    }
}
