//! What integrates a random scene.

use pliant::scene::Integrator;

/// Which integrator a scene asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Choice {
    /// None: it gets the default.
    #[default]
    Open,
    /// Whichever is picked for it.
    Auto,
    /// This one.
    Named(Integrator),
}

impl Choice {
    /// Every choice.
    pub fn all() -> impl Iterator<Item = Self> {
        let named = Integrator::ALL.into_iter().map(Self::Named);
        [Self::Open, Self::Auto].into_iter().chain(named)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "default",
            Self::Auto => "auto",
            Self::Named(integrator) => integrator.name(),
        }
    }
}
