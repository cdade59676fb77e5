//! Which bodies press on each other.

use glam::{UVec2, Vec4};

use super::linked::{Linked, room};
use crate::Result;
use crate::gpu::types::{Augmented, LIST_MANIFOLDS, Sim, TIE_JOINED, TOUCH_SOLID};
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// Each body's own number.
pub fn island_start(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let bodies = bench.case.bodies.len();
    let arrays: &Arrays<'_> =
        &[("islands", &vec![9_u32; bodies]), ("islands_next", &vec![7_u32; bodies])];
    let after = bench.run(bench.case.sim, bodies, arrays)?;
    let wanted: Vec<u32> = (1..=bodies as u32).collect();
    for name in ["islands", "islands_next"] {
        errors.words(&after.get::<u32>(name), &wanted);
    }
    Ok(())
}

/// The label of the body whose number is the least of the labels of a contact's bodies goes to all of them, and to the body whose
/// number is the largest.
pub fn island_join(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let body = |label: u32| label as usize - 1;
    at_contacts(bench, errors, |labels, all, _| {
        let [least, most] = [labels.iter().min()?, labels.iter().max()?];
        Some((all[body(*least)], Some(body(*most))))
    })
}

/// Where they differ, or one of two sides is an obstacle, it is 0.
pub fn island_converged(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    at_contacts(bench, errors, |labels, _, held| {
        let differ = labels.iter().min() < labels.iter().max();
        (differ || held).then_some((0, None))
    })
}

/// Contacts that press on their bodies, with what says so; where there are poses, the second half are manifolds.
struct Pressing {
    linked: Linked,
    augmented: Vec<Augmented>,
    wrenches: Vec<Vec4>,
    /// Of each the bodies that it joins, and whether it bears on an obstacle.
    joins: Vec<(Vec<usize>, bool)>,
}

impl Pressing {
    /// One in so many presses; what is no contact presses on nothing, whatever stands there.
    fn new(bench: &Bench<'_>, one_in: usize, random: &mut Random) -> Self {
        let mut linked = Linked::new(bench, random);
        let bodies = bench.case.bodies.len();
        let body = bench.oracle().system.body;
        let half = if bench.case.content.poses { linked.len() / 2 } else { linked.len() };
        linked.touch.lists.words[LIST_MANIFOLDS as usize] = half as u32;
        let (mut augmented, mut wrenches, mut joins) = (Vec::new(), Vec::new(), Vec::new());
        let mut particles = linked.touch.wanted.iter();
        for (c, contact) in linked.touch.contacts.iter_mut().enumerate() {
            let presses = random.index(0, one_in) == 0;
            let stiffness = if presses == (c < half) { 1e-3 } else { 0.0 };
            let share = if presses == (c >= half) { 2.0 } else { 0.0 };
            let stands = contact.is_contact() || c >= half;
            let stiffness = if stands { stiffness } else { 0.0 };
            augmented.push(Augmented { stiffness, ..Augmented::default() });
            wrenches.extend([Vec4::W * share, Vec4::splat(9.0), Vec4::splat(9.0)]);
            let mut joined = (Vec::new(), false);
            if contact.is_contact() {
                let wanted = particles.next().expect("one for each");
                if presses && c < half {
                    joined.0 = wanted.participants().iter().map(|(k, _)| body[*k]).collect();
                } else if presses {
                    let held = random.index(0, 4) == 0;
                    let other = random.index(0, bodies - 1);
                    joined = (vec![body[wanted.participants()[0].0]], held);
                    let word = if held { TOUCH_SOLID | other as u32 } else { other as u32 };
                    contact.bodies = UVec2::new(joined.0[0] as u32, word);
                    joined.0.extend((!held).then_some(other));
                }
            }
            joins.push(joined);
        }
        Self { linked, augmented, wrenches, joins }
    }
}

/// The label that each contact that presses gives its bodies and maybe another one, of their labels, all labels and of whether an
/// obstacle is one of them; a body keeps the least of that and what it has.
fn at_contacts(
    bench: &Bench<'_>,
    errors: &mut ErrorStats,
    given_by: impl Fn(&[u32], &[u32], bool) -> Option<(u32, Option<usize>)>,
) -> Result<()> {
    let bodies = bench.case.bodies.len();
    let mut random = Random::new(105);
    // The third of three bodies is tied to the second, whose labels stand for both.
    let first = |body: usize| if body % 3 == 2 { body - 1 } else { body };
    let word = |body: usize| match body % 3 {
        0 => body as u32,
        _ => first(body) as u32 | TIE_JOINED,
    };
    let groups: Vec<_> = (0..bodies).map(word).collect();
    // Few labels, so that some of them are the same; few contacts that press, so that not all bodies hang together.
    for (labels_in_use, one_in) in [(3, 8), (bodies, 8), (bodies, 64), (bodies, 1)] {
        let given = Pressing::new(bench, one_in, &mut random);
        let mut some = |_| 1 + random.index(0, labels_in_use.max(1)) as u32;
        let [now, next] = [(); 2].map(|()| (0..bodies).map(&mut some).collect::<Vec<u32>>());
        let linked = &given.linked;
        let arrays: &Arrays<'_> = &[
            ("collide", &room(linked.len())),
            ("tie_groups", &groups),
            ("augmented", &given.augmented),
            ("islands", &now),
            ("islands_next", &next),
            ("wrenches", &given.wrenches),
        ];
        let sim = Sim { body_count: bodies as u32, ..bench.case.sim };
        let after = linked.run(bench, sim, linked.len(), arrays)?;
        let mut wanted = next;
        for (joined, held) in given.joins.iter().filter(|(joined, _)| !joined.is_empty()) {
            let labels: Vec<_> = joined.iter().map(|b| now[first(*b)]).collect();
            if let Some((label, other)) = given_by(&labels, &now, *held) {
                for b in joined.iter().map(|b| first(*b)).chain(other) {
                    wanted[b] = wanted[b].min(label);
                }
            }
        }
        errors.words(&after.get::<u32>("islands_next"), &wanted);
    }
    Ok(())
}
