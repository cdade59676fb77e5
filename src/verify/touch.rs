//! Random contacts between the particles of a case, as the kernels have them and as the reference does.

use glam::{DVec3, UVec2, UVec4, Vec4};

use super::{Bench, Oracle, Random};
use crate::gpu::types::{Contact, LIST_SORTED, LIST_WORDS, LOAD_UNIT, NONE};
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
    /// The participants' lists, in ascending order and marked so.
    pub lists: Vec<u32>,
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
            let mut contact = contact(feature, index, corners, random);
            if random.between(0.0, 1.0) < 0.2 {
                contact.second = second as u32;
                contact.weights.x = random.between(0.1, 0.9) as f32;
                contact.second_weight = 1.0 - contact.weights.x;
            } else if random.between(0.0, 1.0) < 0.4 {
                contact.reach = random.between(0.01, 0.5) as f32;
                if random.between(0.0, 1.0) < 0.5 {
                    contact.particles = contact.particles.with_z(NONE).with_w(NONE);
                    contact.weights = Vec4::new(1.0, -1.0, 0.0, 0.0);
                    contact.partner = bodies.len() as u32 + contact.particles.y;
                }
            }
            touch.contacts.push(contact);
        }
        touch.renew();
        touch.link();
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
        Self { contacts: Vec::new(), wanted: Vec::new(), scene, lists: Vec::new() }
    }

    /// Enters all contacts in the lists.
    fn link(&mut self) {
        let particles = self.scene.position.len();
        let nodes = (0..8 * self.contacts.len() as u32).rev();
        self.lists = lists(&self.contacts, particles, nodes);
        for row in self.lists[..2 * particles].chunks_exact_mut(2) {
            row[1] |= if row[0] == NONE { 0 } else { LIST_SORTED };
        }
    }

    /// Which of the records are contacts.
    pub fn real(&self) -> Vec<usize> {
        let is_real = |c: &usize| self.contacts[*c].particles.x != NONE;
        (0..self.contacts.len()).filter(is_real).collect()
    }

    /// Has the reference take the contacts as they are now.
    pub fn renew(&mut self) {
        self.wanted = self.real().into_iter().map(|c| exact(&self.contacts[c])).collect();
    }

    /// The surface triangles around each particle: its first and how many, and the other corners of each.
    pub fn fans(&self) -> (Vec<UVec2>, Vec<UVec2>) {
        let surface = self.scene.surface.iter();
        let triangles: Vec<_> = surface.map(|t| t.map(|i| i as u32)).collect();
        fans(self.scene.position.len(), &triangles)
    }
}

/// A contact, not a record that none came of, as the reference has it.
pub fn exact(contact: &Contact) -> Wanted {
    let exact = |w: f32| f64::from(w);
    let mut points = vec![(contact.particles.x as usize, exact(contact.weights.x))];
    if contact.second != NONE {
        points.push((contact.second as usize, exact(contact.second_weight)));
    }
    let [_, a, b, c] = contact.particles.to_array().map(|i| i as usize);
    let [_, u, v, w] = contact.weights.to_array().map(|w| -exact(w));
    Wanted {
        feature: contact.feature as usize,
        partner: contact.partner as usize,
        points,
        others: if contact.particles.z == NONE {
            vec![(a, u)]
        } else {
            vec![(a, u), (b, v), (c, w)]
        },
        direction: contact.normal.as_dvec3(),
        estimate: exact(contact.depth),
        reach: exact(contact.reach),
        depth: exact(contact.gap),
        friction: exact(contact.friction),
        edge: exact(contact.edge),
        target: exact(contact.target_speed),
    }
}

/// The push of a contact that is as much deeper as is left of it \[m\]: twice what the push is the difference of.
pub fn push_terms(contact: &Wanted, h: f64) -> f64 {
    let deeper = Wanted { depth: contact.depth + 2.0 * SLOP * contact.edge, ..contact.clone() };
    push(&deeper, h)
}

/// The lists of the participants, with their loads: the sums of the weights' magnitudes, each rounded up to whole parts. Nodes
/// enter in this order, each before all others of its particle.
fn lists(contacts: &[Contact], particles: usize, nodes: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut lists: Vec<u32> = (0..particles).flat_map(|_| [NONE, 0]).collect();
    lists.extend([contacts.len() as u32, 1]);
    lists.resize(2 * particles + LIST_WORDS as usize + 8 * contacts.len(), NONE);
    for node in nodes {
        let contact = &contacts[node as usize / 8];
        let (i, weight) = match node as usize % 8 {
            _ if contact.particles.x == NONE => continue,
            4 => (contact.second, contact.second_weight),
            k if k < 4 => (contact.particles[k], contact.weights[k]),
            _ => continue,
        };
        if i != NONE {
            let i = 2 * i as usize;
            lists[2 * particles + LIST_WORDS as usize + node as usize] =
                std::mem::replace(&mut lists[i], node);
            lists[i + 1] += (weight.abs() * LOAD_UNIT).ceil() as u32;
        }
    }
    lists
}

/// The lists in any order.
pub fn shuffled(contacts: &[Contact], particles: usize, random: &mut Random) -> Vec<u32> {
    let mut random = Random::new(random.index(0, 1 << 30) as u64);
    let mut nodes: Vec<u32> = (0..8 * contacts.len() as u32).collect();
    for k in 1..nodes.len() {
        nodes.swap(k, random.index(0, k + 1));
    }
    lists(contacts, particles, nodes.into_iter())
}

/// Three different particles.
fn corners(particles: &std::ops::Range<usize>, random: &mut Random) -> [usize; 3] {
    let first = random.index(0, particles.len());
    let step = random.index(1, particles.len().div_ceil(2).max(2));
    [0, 1, 2].map(|k| particles.start + (first + k * step) % particles.len())
}

/// A contact of a particle with a triangle of a body; one in ten is none, and one in three has a gap, and some are
/// so deep that they are pushed apart no faster.
fn contact(feature: usize, body: usize, corners: [usize; 3], random: &mut Random) -> Contact {
    let [u, v] = [(); 2].map(|()| random.between(-0.02, 0.5));
    let [a, b, c] = corners.map(|i| i as u32);
    let mut particles = UVec4::new(feature as u32, a, b, c);
    if random.between(0.0, 1.0) < 0.1 {
        particles.x = NONE;
    }
    let gap = random.between(-0.015, 0.03);
    Contact {
        normal: random.vector(1.0).normalize_or(DVec3::X).as_vec3(),
        gap: gap as f32,
        particles,
        weights: -Vec4::new(-1.0, u as f32, v as f32, (1.0 - u - v) as f32),
        second: NONE,
        target_speed: 0.0,
        friction: random.between(0.0, 0.9) as f32,
        edge: random.between(0.1, 1.0) as f32,
        feature: feature as u32,
        body: body as u32,
        partner: body as u32,
        depth: random.between(0.0, 0.2) as f32,
        ..Contact::default()
    }
}
