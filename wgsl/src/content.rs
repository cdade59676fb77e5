//! What a world holds, and which kernels care.

use super::flags::FLAGS;

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

    /// Each thing by the name that kernels know it by.
    #[must_use]
    pub fn flags(self) -> [(&'static str, bool); FLAGS.len()] {
        let Self { heterogeneous, areas, loads, solids, contact, poses, order } = self;
        let held = [heterogeneous, areas, loads, solids, contact, poses, order];
        std::array::from_fn(|flag| (FLAGS[flag], held[flag]))
    }

    /// As constants of WGSL.
    #[must_use]
    pub fn text(self) -> String {
        let line = |(name, value)| format!("const HAS_{name}: bool = {value};\n");
        self.flags().map(line).concat()
    }

    /// What these flags say, in their order.
    #[must_use]
    pub fn holding(
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
