//! Random sane scenes: a sample of what `pliant bench robust` runs by hundreds.

use pliant::bench::robust::Case;

use crate::support::context;

/// Scenes of the sample.
const SCENES: usize = 8;
/// Cubes along the longest side at the most, so that the sample takes seconds.
const MOST_CELLS: u32 = 5;

/// What is wrong with a case, if anything.
fn failure(case: &Case) -> Option<String> {
    let outcome = case
        .run(context())
        .unwrap_or_else(|error| panic!("{case:?}: {error}"));
    let volume = outcome
        .is_collapsed()
        .then(|| format!("{} of its volume", outcome.volume));
    let inverted = (outcome.inverted > 0).then(|| format!("{} inside out", outcome.inverted));
    let restless = outcome.is_restless().then(|| outcome.motion.to_string());
    outcome.lost.or(inverted).or(volume).or(restless)
}

/// The simplest case that goes wrong beside one that does.
fn smallest(mut case: Case) -> (Case, String) {
    let mut wrong = failure(&case).unwrap();
    while let Some((simpler, its)) = case
        .simpler()
        .into_iter()
        .find_map(|simpler| failure(&simpler).map(|its| (simpler, its)))
    {
        (case, wrong) = (simpler, its);
    }
    (case, wrong)
}

/// No body is lost, collapses, ends inside out or vibrates without end, whatever its size, shape, material and fall.
#[test]
fn random_sane_scenes_hold() {
    for index in 0..SCENES {
        let mut case = Case::random(29, index);
        case.cells = case.cells.min(MOST_CELLS);
        if failure(&case).is_some() {
            let (case, wrong) = smallest(case);
            panic!("scene {index}, at its simplest: {wrong}: {case:?}");
        }
    }
}

/// A case that cannot hold is found, and made simpler: the test above can fail.
#[test]
fn what_goes_wrong_is_made_simple() {
    let mut case = Case::random(29, 1);
    // A house of jelly: it lies flat.
    (case.size, case.cells, case.pair) = (40.0, 4, true);
    case.material = pliant::bench::robust::Material::Springs(30.0);
    let (simple, wrong) = smallest(case);
    println!("{wrong}: {simple:?}");
    assert!(!simple.pair && simple.obstacle == 0 && simple.cells == 3);
}
