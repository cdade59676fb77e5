//! Which bodies press on each other.

use super::linked::{Linked, room};
use crate::Result;
use crate::gpu::types::{Augmented, TIE_JOINED};
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

/// The least of the labels of a contact's bodies goes to all of them.
pub fn island_join(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    at_contacts(bench, errors, |least, _| Some(least))
}

/// Where they differ, it is 0.
pub fn island_converged(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    at_contacts(bench, errors, |least, most| (least < most).then_some(0))
}

/// One contact in so many presses on its bodies; what is no contact presses on nothing.
fn pressing(linked: &Linked, one_in: usize, random: &mut Random) -> Vec<Augmented> {
    let mut one = |c: usize| match random.index(0, one_in) == 0 && linked.real.contains(&c) {
        true => 1e-3,
        false => 0.0,
    };
    let augmented = |c: usize| Augmented { stiffness: one(c), ..Augmented::default() };
    (0..linked.len()).map(augmented).collect()
}

/// What each contact that presses gives its bodies, of the least and the largest of their labels; a body keeps the least of
/// that and what it has.
fn at_contacts(
    bench: &Bench<'_>,
    errors: &mut ErrorStats,
    given_by: impl Fn(u32, u32) -> Option<u32>,
) -> Result<()> {
    let bodies = bench.case.bodies.len();
    let body = bench.oracle().system.body;
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
        let linked = Linked::new(bench, &mut random);
        let (touch, real) = (&linked.touch, &linked.real);
        let augmented = pressing(&linked, one_in, &mut random);
        let mut some = |_| 1 + random.index(0, labels_in_use.max(1)) as u32;
        let [now, next] = [(); 2].map(|()| (0..bodies).map(&mut some).collect::<Vec<u32>>());
        let arrays: &Arrays<'_> = &[
            ("collide", &room(linked.len())),
            ("tie_groups", &groups),
            ("augmented", &augmented),
            ("islands", &now),
            ("islands_next", &next),
        ];
        let after = linked.run(bench, bench.case.sim, linked.len(), arrays)?;
        let mut wanted = next;
        let pressing = touch.wanted.iter().zip(real);
        for (contact, _) in pressing.filter(|(_, c)| augmented[**c].stiffness > 0.0) {
            let participants = contact.participants().into_iter();
            let joined: Vec<_> = participants.map(|(k, _)| first(body[k])).collect();
            let labels = joined.iter().map(|b| now[*b]);
            let Some((least, most)) = labels.clone().min().zip(labels.max()) else {
                continue;
            };
            if let Some(label) = given_by(least, most) {
                joined.iter().for_each(|b| wanted[*b] = wanted[*b].min(label));
            }
        }
        errors.words(&after.get::<u32>("islands_next"), &wanted);
    }
    Ok(())
}
