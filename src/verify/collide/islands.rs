//! Which bodies press on each other.

use super::super::bench::Bench;
use super::super::case::Random;
use super::super::errors::ErrorStats;
use super::super::touch::uniform;
use super::linked::{contacts, lists};
use crate::Result;
use crate::gpu::types::{Augmented, Collide, TIE_JOINED};
use crate::gpu::{Buffer, Kernel};

/// Each body's own number.
pub fn island_start(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let bodies = bench.case.bodies.len();
    let given = [vec![9; bodies], vec![7; bodies]];
    let run = |labels: &[Buffer<u32>; 2]| {
        let others = [labels[0].bind("islands"), labels[1].bind("islands_next")];
        bench.dispatch(kernel, bench.case.sim, bodies, &others);
    };
    let wanted: Vec<u32> = (1..=bodies as u32).collect();
    for got in labels(bench, &given, run)? {
        errors.case();
        errors.words(&got, &wanted);
    }
    Ok(())
}

/// The least of the labels of a contact's bodies goes to all of them.
pub fn island_join(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    at_contacts(kernel, bench, errors, |least, _| Some(least))
}

/// Where they differ, it is 0.
pub fn island_converged(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    at_contacts(kernel, bench, errors, |least, most| {
        (least < most).then_some(0)
    })
}

/// What each contact that presses gives its bodies, of the least and the largest of their labels; a body keeps the least of
/// that and what it has.
fn at_contacts(
    kernel: &Kernel,
    bench: &Bench<'_>,
    errors: &mut ErrorStats,
    given_by: impl Fn(u32, u32) -> Option<u32>,
) -> Result<()> {
    let (context, count, bodies) = (bench.context, bench.len(), bench.case.bodies.len());
    let points = bench.buffers.points.read(context)?;
    let mut random = Random::new(105);
    // The third of three bodies is tied to the second, whose labels stand for both.
    let first = |body: usize| if body % 3 == 2 { body - 1 } else { body };
    let word = |body: usize| match body % 3 {
        0 => body as u32,
        _ => first(body) as u32 | TIE_JOINED,
    };
    let groups: Vec<_> = (0..bodies).map(word).collect();
    let groups = Buffer::new(context, "tie_groups", &groups)?;
    // Few labels, so that some of them are the same; few contacts that press, so that not all bodies hang together.
    for (labels_in_use, one_in) in [(3, 8), (bodies, 8), (bodies, 64), (bodies, 1)] {
        let (touch, real) = contacts(bench, &mut random);
        let records = touch.contacts.len();
        let mut rows = lists(&touch.contacts, count, &mut random);
        rows[2 * count] = records as u32;
        // What is no contact presses on nothing.
        let augmented: Vec<Augmented> = (0..records)
            .map(|c| Augmented {
                stiffness: if random.index(0, one_in) == 0 && real.contains(&c) {
                    1e-3
                } else {
                    0.0
                },
                ..Augmented::default()
            })
            .collect();
        let mut some = |_| 1 + random.index(0, labels_in_use.max(1)) as u32;
        let given = [0, 1].map(|_| (0..bodies).map(&mut some).collect::<Vec<u32>>());
        let collide = uniform(
            context,
            Collide {
                capacity: records as u32,
                ..Collide::default()
            },
        );
        let rows = Buffer::new(context, "rows", &rows)?;
        let contact_buffer = Buffer::new(context, "contacts", &touch.contacts)?;
        let grip_buffer = Buffer::new(context, "augmented", &augmented)?;
        let run = |labels: &[Buffer<u32>; 2]| {
            let others = [
                collide.bind("collide"),
                groups.bind("tie_groups"),
                rows.bind("rows"),
                contact_buffer.bind("contacts"),
                grip_buffer.bind("augmented"),
                labels[0].bind("islands"),
                labels[1].bind("islands_next"),
            ];
            bench.dispatch(kernel, bench.case.sim, records, &others);
        };
        let [kept, got] = labels(bench, &given, run)?;
        errors.case();
        errors.words(&kept, &given[0]);
        let mut wanted = given[1].clone();
        for (contact, c) in touch.wanted.iter().zip(&real) {
            if augmented[*c].stiffness == 0.0 {
                continue;
            }
            let joined: Vec<usize> = contact
                .participants()
                .iter()
                .map(|(k, _)| first(points[*k].body as usize))
                .collect();
            let labels = joined.iter().map(|b| given[0][*b]);
            let Some((least, most)) = labels.clone().min().zip(labels.max()) else {
                continue;
            };
            if let Some(label) = given_by(least, most) {
                joined
                    .iter()
                    .for_each(|b| wanted[*b] = wanted[*b].min(label));
            }
        }
        errors.words(&got, &wanted);
    }
    Ok(())
}

/// Both arrays of labels after a kernel has run.
fn labels(
    bench: &Bench<'_>,
    given: &[Vec<u32>; 2],
    run: impl Fn(&[Buffer<u32>; 2]),
) -> Result<[Vec<u32>; 2]> {
    let buffers = [
        Buffer::new(bench.context, "islands a", &given[0])?,
        Buffer::new(bench.context, "islands b", &given[1])?,
    ];
    run(&buffers);
    Ok([
        buffers[0].read(bench.context)?,
        buffers[1].read(bench.context)?,
    ])
}
