//! Random contacts between the particles of a case, as the kernels have them and as the reference does.

use glam::{DVec3, UVec2};

use super::{Bench, Oracle, Random};
use crate::gpu::types::{
    Contact, Entry, LIST_LOADS, LIST_LONG, LIST_MANIFOLDS, LIST_RECORDS, LIST_TOUCHING, LOAD_UNIT,
    NONE, Row, SLICE, Side,
};
use crate::model::fans;
use crate::reference::contact::Scene;
use crate::reference::contact::project::{SLOP, push};
use crate::reference::contact::triangles::Contact as Wanted;

/// Contacts of one case.
#[derive(Debug)]
pub struct Touch {
    /// As the kernels have them: one per record, some of which no contact came of.
    pub contacts: Vec<Contact>,
    /// Those that are contacts, as the reference has them.
    pub wanted: Vec<Wanted>,
    /// The case as the reference has it, with random surface triangles.
    pub scene: Scene,
    /// Rows of the contacts, some of which are pushed apart.
    pub rows: Vec<Row>,
    /// The participants' lists, in ascending order.
    pub lists: Lists,
}

impl Touch {
    /// About as many contacts as particles, on bodies with at least three.
    pub fn random(bench: &Bench<'_>, oracle: &Oracle<'_>, random: &mut Random) -> Self {
        let bodies = &bench.case.model.bodies;
        let mut touch = Self::new(oracle);
        for body in bodies.iter().filter(|b| b.particles.len() > 2) {
            for _ in body.particles.clone() {
                let corners = corners(&body.particles, random);
                touch.scene.surface.push(corners);
            }
        }
        for feature in 0..bench.len() {
            let index = random.index(0, bodies.len());
            if bodies[index].particles.len() < 3 {
                continue;
            }
            let own = &bodies[oracle.system.body[feature]].particles;
            let second = random.index(own.start, own.end);
            let corners = corners(&bodies[index].particles, random);
            let mut contact =
                contact(feature, [oracle.system.body[feature], index], corners, random);
            if random.between(0.0, 1.0) < 0.2 {
                let share = random.between(0.1, 0.9) as f32;
                let ends = [(feature as u32, share), (second as u32, 1.0 - share)];
                contact.a = if contact.is_contact() { Side::of(&ends) } else { contact.a };
            } else if random.between(0.0, 1.0) < 0.4 {
                contact.reach = random.between(0.01, 0.5) as f32;
                if random.between(0.0, 1.0) < 0.5 {
                    let other = contact.b.dofs.x;
                    contact.b = Side::of(&[(other, -1.0)]);
                    contact.feature_b = bodies.len() as u32 + other;
                }
            }
            touch.contacts.push(contact);
        }
        touch.renew();
        touch.lists = Lists::new(&touch.contacts, [bench.len(), 0]);
        let h = bench.case.sim.step;
        let row = |contact: &Contact| Row {
            bias: (-contact.gap).max(0.0) / h,
            kappa: 1.0,
            gap: contact.gap,
            push: random.between(-0.02, 0.02).max(0.0) as f32,
            ..Row::default()
        };
        touch.rows = touch.contacts.iter().map(row).collect();
        touch
    }

    /// No contacts yet.
    fn new(oracle: &Oracle<'_>) -> Self {
        let system = &oracle.system;
        let scene = Scene {
            position: system.position.clone(),
            velocity: system.velocity.clone(),
            inverse_mass: system.inverse_mass.clone(),
            body: system.body.clone(),
            step: oracle.h,
            ..Scene::default()
        };
        Self {
            contacts: Vec::new(),
            wanted: Vec::new(),
            scene,
            rows: Vec::new(),
            lists: Lists::default(),
        }
    }

    /// Which of the records are contacts.
    pub fn real(&self) -> Vec<usize> {
        let is_real = |c: &usize| self.contacts[*c].is_contact();
        (0..self.contacts.len()).filter(is_real).collect()
    }

    /// Has the reference take the contacts as they are now.
    pub fn renew(&mut self) {
        self.wanted =
            self.real().into_iter().map(|c| exact(&self.contacts[c], self.scene.step)).collect();
    }

    /// The surface triangles around each particle: its first and how many, and the other corners of each.
    pub fn fans(&self) -> (Vec<UVec2>, Vec<UVec2>) {
        let surface = self.scene.surface.iter();
        let triangles: Vec<_> = surface.map(|t| t.map(|i| i as u32)).collect();
        fans(self.scene.position.len(), &triangles)
    }
}

/// A contact, not a record that none came of, as the reference has it in steps of `h` \[s\].
pub fn exact(contact: &Contact, h: f64) -> Wanted {
    let exact = |w: f32| f64::from(w);
    let side = |side: &Side| side.parts().map(|(i, w)| (i as usize, exact(w))).collect::<Vec<_>>();
    Wanted {
        feature: contact.feature_a as usize,
        partner: contact.feature_b as usize,
        points: side(&contact.a),
        others: side(&contact.b).into_iter().map(|(i, w)| (i, -w)).collect(),
        direction: contact.normal.as_dvec3(),
        estimate: exact(contact.gap),
        reach: exact(contact.reach),
        depth: exact(contact.gap),
        friction: exact(contact.friction),
        edge: exact(contact.size),
        target: exact(contact.gap).min(0.0) / h,
    }
}

/// The push of a contact that is as much deeper as is left of it \[m\]: twice what the push is the difference of.
pub fn push_terms(contact: &Wanted, h: f64) -> f64 {
    let deeper = Wanted { depth: contact.depth + 2.0 * SLOP * contact.edge, ..contact.clone() };
    push(&deeper, h)
}

/// The contacts of each particle.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// Words of all; then the loads, the sums of the weights' magnitudes, each rounded up to whole parts.
    pub words: Vec<u32>,
    /// How many each has.
    pub counts: Vec<u32>,
    /// Where each list begins.
    pub first: Vec<u32>,
    /// The lists.
    pub entries: Vec<Entry>,
}

impl Lists {
    /// The lists of the participants, so many particles and poses, in ascending order.
    pub fn new(contacts: &[Contact], [particles, poses]: [usize; 2]) -> Self {
        let mut of_dofs = vec![Vec::new(); particles + poses];
        let mut words = vec![0; LIST_LOADS as usize + of_dofs.len()];
        (words[LIST_RECORDS as usize], words[LIST_TOUCHING as usize]) = (contacts.len() as u32, 1);
        words[LIST_MANIFOLDS as usize] = contacts.len() as u32;
        for (c, contact) in (0..).zip(contacts).filter(|(_, contact)| contact.is_contact()) {
            for (first, side, sign) in [(0, &contact.a, 1.0), (4, &contact.b, -1.0)] {
                for (place, (i, weight)) in (first..).zip(side.parts()) {
                    let i = i as usize;
                    let weight = if i < particles { weight } else { sign };
                    of_dofs[i].push(Entry { node: 8 * c + place, weight });
                    words[LIST_LOADS as usize + i] += (weight.abs() * LOAD_UNIT).ceil() as u32;
                }
            }
        }
        let counts: Vec<_> = of_dofs.iter().map(|list| list.len() as u32).collect();
        let mut first = vec![0];
        for (list, count) in of_dofs.iter_mut().zip(&counts) {
            list.sort_unstable_by_key(|entry| entry.node);
            first.push(first[first.len() - 1] + count);
        }
        words[LIST_LONG as usize] = u32::from(counts.iter().any(|count| *count > SLICE));
        let mut entries = of_dofs.concat();
        entries.resize(8 * contacts.len(), Entry { node: NONE, weight: 7.0 });
        Self { words, counts, first, entries }
    }

    /// Each particle's load.
    pub fn loads(&self) -> Vec<f64> {
        let load = |word: &u32| f64::from(*word) / f64::from(LOAD_UNIT);
        self.words[LIST_LOADS as usize..].iter().map(load).collect()
    }

    /// The range of particle `i`'s list.
    pub fn range(&self, i: usize) -> std::ops::Range<usize> {
        self.first[i] as usize..self.first[i + 1] as usize
    }

    /// The nodes of the lists, each in any order.
    pub fn shuffled(&self, random: &mut Random) -> Vec<u32> {
        let mut nodes: Vec<_> = self.entries.iter().map(|entry| entry.node).collect();
        for i in 0..self.counts.len() {
            let list = &mut nodes[self.range(i)];
            (1..list.len()).for_each(|k| list.swap(k, random.index(0, k + 1)));
        }
        nodes
    }
}

/// Three different particles.
fn corners(particles: &std::ops::Range<usize>, random: &mut Random) -> [usize; 3] {
    let first = random.index(0, particles.len());
    let step = random.index(1, particles.len().div_ceil(2).max(2));
    [0, 1, 2].map(|k| particles.start + (first + k * step) % particles.len())
}

/// A contact of a particle with a triangle of a body; one in ten is none, and one in three has a gap, and some are
/// so deep that they are pushed apart no faster.
fn contact(
    feature: usize,
    bodies: [usize; 2],
    corners: [usize; 3],
    random: &mut Random,
) -> Contact {
    let [u, v] = [(); 2].map(|()| random.between(-0.02, 0.5));
    let corner = |(i, w): (usize, f64)| (i as u32, -w as f32);
    let corners: Vec<_> = corners.into_iter().zip([u, v, 1.0 - u - v]).map(corner).collect();
    let is_none = random.between(0.0, 1.0) < 0.1;
    let [own, other] = bodies.map(|body| body as u32);
    let own_side = [(feature as u32, 1.0)];
    Contact {
        a: Side::of(if is_none { &[] } else { &own_side }),
        b: Side::of(&corners),
        normal: random.vector(1.0).normalize_or(DVec3::X).as_vec3(),
        gap: random.between(-0.015, 0.03) as f32,
        friction: random.between(0.0, 0.9) as f32,
        size: random.between(0.1, 1.0) as f32,
        feature_a: feature as u32,
        feature_b: other,
        bodies: UVec2::new(own, other),
        ..Contact::default()
    }
}
