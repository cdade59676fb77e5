//! Materials by name.

use super::format::{Mass, Springs};
use super::kind::Fem;
use super::named::named;

named! {
    /// A soft material with typical published values: `preset` of a scene file.
    ///
    /// ```
    /// use pliant::scene::{Body, Preset};
    ///
    /// let mut cube = Body::lattice("cube", [4, 4, 4], [0.1, 0.1, 0.1]);
    /// cube.mass = Preset::Jelly.mass();
    /// cube.kind = Preset::Jelly.springs().into(); // or .fem()
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Preset {
        /// Gelatine in water, about 1 : 13 (4 to 277 kPa for 1 : 20 to 1 : 2; Bonavia 2025).
        Jelly = "jelly",
        /// Muscle at rest (6 to 100 kPa; Duck 1990, McKee et al. 2011).
        Flesh = "flesh",
        /// Flexible open-celled polyurethane foam, as in cushions (Gibson & Ashby 1997).
        Foam = "foam",
        /// Soft cast silicone, Shore 00-50 (makers' data sheets).
        Silicone = "silicone",
        /// Natural rubber without fillers (1 to 5 MPa; Gibson & Ashby 1997).
        Rubber = "rubber",
    }
}

/// What a [`Preset`] stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Properties {
    /// Mass per volume [kg/m³].
    pub density: f64,
    /// Young's modulus [Pa].
    pub young: f64,
    /// Poisson's ratio of finite elements: no more than 0.45, where linear elements still bend. Springs have their own.
    pub poisson: f64,
    /// Relaxation time [s].
    pub relaxation: f64,
}

impl Preset {
    /// Its numbers.
    #[must_use]
    pub fn properties(self) -> Properties {
        let [density, young, poisson, relaxation] = match self {
            Self::Jelly => [1050.0, 1e4, 0.45, 0.01],
            Self::Flesh => [1060.0, 3e4, 0.45, 0.02],
            Self::Foam => [40.0, 5e4, 0.3, 0.005],
            Self::Silicone => [1070.0, 1e5, 0.45, 0.005],
            Self::Rubber => [930.0, 1.5e6, 0.45, 0.001],
        };
        Properties { density, young, poisson, relaxation }
    }

    /// By its density.
    #[must_use]
    pub fn mass(self) -> Mass {
        Mass::Density(self.properties().density)
    }

    /// Springs of its modulus.
    #[must_use]
    pub fn springs(self) -> Springs {
        let Properties { young, relaxation, .. } = self.properties();
        Springs::Moduli { young: Some(young), relaxation: Some(relaxation) }
    }

    /// Finite elements of it.
    #[must_use]
    pub fn fem(self) -> Fem {
        let Properties { young, poisson, relaxation, .. } = self.properties();
        Fem { relaxation: Some(relaxation), ..Fem::new(young, poisson) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_lists_the_numbers() {
        let guide = include_str!("../guide/materials.md");
        for preset in Preset::ALL {
            let head = format!("| `{}` |", preset.name());
            let line = guide.lines().find_map(|line| line.strip_prefix(&head));
            let numbers = line.unwrap_or_default().split('|');
            let numbers: Vec<f64> = numbers.filter_map(|n| n.trim().parse().ok()).collect();
            let p = preset.properties();
            let wanted = [p.density, p.young, p.poisson, p.relaxation];
            assert_eq!(numbers, wanted, "{preset:?}");
        }
    }
}
