//! Random sane scenes: a sample of what `pliant bench robust` runs by hundreds.

use pliant::Context;
use pliant::internals::extreme::least;

use super::case::{Material, Shape};
use super::*;

/// Scenes of the sample.
const SCENES: usize = 8;
/// Cubes along the longest side at the most, so that the sample takes seconds.
const MOST_CELLS: u32 = 5;

/// What is wrong with a case, if anything.
fn failure(context: &Context, case: &Case) -> Option<String> {
    let outcome = case.run(context).unwrap_or_else(|error| panic!("{case:?}: {error}"));
    let volume = outcome.is_collapsed().then(|| format!("{} of its volume", outcome.volume));
    let inverted = (outcome.inverted > 0).then(|| format!("{} inside out", outcome.inverted));
    let restless = outcome.is_restless().then(|| outcome.motion.to_string());
    outcome.lost.or(inverted).or(volume).or(restless)
}

impl Case {
    /// Simpler cases: each with one thing less.
    fn simpler(&self) -> Vec<Self> {
        let changes: [fn(&mut Self); 12] = [
            |case| case.pair = false,
            |case| case.obstacle = 0,
            |case| case.shape = Shape::Block([1.0; 3]),
            |case| case.shape = Shape::Ball,
            |case| case.tilt = [0.0; 3],
            |case| case.tilt = [case.tilt[0], 0.0, 0.0],
            |case| case.cells = (case.cells / 2).max(3),
            |case| case.cells = (case.cells - 1).max(3),
            |case| case.drop = (0.5 * case.drop * 8.0).round() / 8.0,
            |case| case.size = 1.0,
            |case| case.density = 1000.0,
            |case| case.friction = 0.5,
        ];
        let changed = |change: fn(&mut Self)| {
            let mut case = self.clone();
            change(&mut case);
            case
        };
        let mut cases = changes.map(changed).to_vec();
        // A preset is another material to a body of another size.
        cases
            .retain(|case| case.size == self.size || !matches!(self.material, Material::Preset(_)));
        cases.retain(|case| case != self);
        // A ball is simpler than what has limbs, not than a cube.
        let block = matches!(self.shape, Shape::Block(_));
        cases.retain(|case| !(block && case.shape == Shape::Ball));
        cases
    }
}

/// The simplest case that goes wrong beside one that does.
fn smallest(context: &Context, mut case: Case) -> (Case, String) {
    let mut wrong = failure(context, &case).unwrap();
    while let Some((simpler, its)) = case
        .simpler()
        .into_iter()
        .find_map(|simpler| failure(context, &simpler).map(|its| (simpler, its)))
    {
        (case, wrong) = (simpler, its);
    }
    (case, wrong)
}

/// No body is lost, collapses, ends inside out or vibrates without end, whatever its size, shape, material and fall.
#[test]
fn random_sane_scenes_hold() {
    let context = Context::new().unwrap();
    for index in 0..SCENES {
        let mut case = Case::random(29, index);
        case.cells = least(case.cells, MOST_CELLS);
        if failure(&context, &case).is_some() {
            let (case, wrong) = smallest(&context, case);
            panic!("scene {index}, at its simplest: {wrong}: {case:?}");
        }
    }
}

/// A case that cannot hold is found, and made simpler: the test above can fail.
#[test]
fn what_goes_wrong_is_made_simple() {
    let context = Context::new().unwrap();
    let mut case = Case::random(29, 1);
    // A house of jelly: it lies flat.
    (case.size, case.cells, case.pair) = (40.0, 4, true);
    case.material = Material::Springs(30.0);
    let (simple, wrong) = smallest(&context, case);
    println!("{wrong}: {simple:?}");
    assert!(!simple.pair && simple.obstacle == 0 && simple.cells == 3);
}
