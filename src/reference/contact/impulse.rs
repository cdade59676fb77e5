//! Impulses of contacts: equal and opposite, all from the same velocities, with the masses split.
//!
//! Each contact works with its share of its particles' masses (m_k/c_k, c_k the contacts of k), so that the sum of all
//! impulses overshoots nothing (Tonge et al. 2012).

use std::collections::BTreeMap;

use glam::DVec3;

use super::project::split_inverse_mass;
use super::triangles::Contact;
use super::{Scene, weighted};

/// Iterations in a step.
pub const ITERATIONS: usize = 2;
/// The part of its changes in a step that an impulse loses before the next.
const WARM_LOSS: f64 = 0.5;

/// The impulse of one contact.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Impulse {
    /// λ_n \[kg m/s\], along r; never negative.
    pub normal: f64,
    /// λ_t \[kg m/s\], across r, at most μ λ_n long.
    pub tangential: DVec3,
    /// What the iterations of the step have changed of λ_n \[kg m/s\].
    pub normal_change: f64,
    /// The sum of the lengths of what they have changed of λ_t \[kg m/s\].
    pub tangential_change: f64,
}

impl Impulse {
    /// What the next step starts from: λ_n less half of |Δλ_n|, λ_t shorter by half of its changes, neither below 0. In a
    /// body that is damped so much that it moves as one, an impulse grows until it has stopped the body, and would then
    /// throw it back as a spring does; what it is reduced by here, it does not give back.
    pub fn kept(&self) -> Self {
        let length = self.tangential.length();
        let kept = (length - WARM_LOSS * self.tangential_change).max(0.0);
        Self {
            normal: (self.normal - WARM_LOSS * self.normal_change.abs()).max(0.0),
            tangential: kept * self.tangential.normalize_or_zero(),
            ..Self::default()
        }
    }
}

/// The impulses of the last step, by (feature, partner).
pub type Memory = BTreeMap<(usize, usize), Impulse>;

/// Where the step starts: what is [kept](Impulse::kept) of the impulses that the same (feature, partner) had in the last
/// step, λ_t brought into the plane
/// across the present r and clipped to μ λ_n; 0 for new contacts. A held direction keeps its length only as far as it
/// still lies in that plane.
pub fn warm_start(contacts: &[Contact], memory: &Memory) -> Vec<Impulse> {
    let start = |contact: &Contact| {
        let key = (contact.feature, contact.partner);
        let last = memory.get(&key).copied().unwrap_or_default().kept();
        let across = last.tangential.reject_from_normalized(contact.direction);
        Impulse {
            normal: last.normal,
            tangential: across.clamp_length_max(contact.friction * last.normal),
            ..last
        }
    };
    contacts.iter().map(start).collect()
}

/// What the next step starts from. Contacts that vanished are not in it.
pub fn memory(contacts: &[Contact], impulses: &[Impulse]) -> Memory {
    let entry = |(c, i): (&Contact, &Impulse)| ((c.feature, c.partner), *i);
    contacts.iter().zip(impulses).map(entry).collect()
}

/// u_k = u0_k + Σ w_k (λ_n r + λ_t)/m_k \[m/s\] over the contacts of particle k.
pub fn velocities(
    scene: &Scene,
    contacts: &[Contact],
    before: &[DVec3],
    impulses: &[Impulse],
) -> Vec<DVec3> {
    let mut velocity = before.to_vec();
    for (contact, impulse) in contacts.iter().zip(impulses) {
        let whole = impulse.normal * contact.direction + impulse.tangential;
        for (k, w) in contact.participants() {
            velocity[k] += w * scene.inverse_mass[k] * whole;
        }
    }
    velocity
}

/// One iteration from velocities `u` \[m/s\]: with v = Σ w_k u_k and W the split inverse mass, λ_n' = max(0, λ_n − (v·r
/// − v*)/W) and λ_t' = λ_t − v_t/W clipped to μ λ_n'. A contact whose particles are all held has no impulse. `loads`
/// are those of each particle.
pub fn iterate(
    scene: &Scene,
    contacts: &[Contact],
    loads: &[f64],
    u: &[DVec3],
    impulses: &[Impulse],
) -> Vec<Impulse> {
    let next = |(contact, impulse): (&Contact, &Impulse)| {
        let inverse_mass = split_inverse_mass(contact, &scene.inverse_mass, loads);
        if inverse_mass == 0.0 {
            return Impulse::default();
        }
        let relative = weighted(&contact.participants(), u);
        let speed = relative.dot(contact.direction);
        let sliding = relative - speed * contact.direction;
        let normal = (impulse.normal - (speed - contact.target) / inverse_mass).max(0.0);
        let tangential = (impulse.tangential - sliding / inverse_mass)
            .clamp_length_max(contact.friction * normal);
        Impulse {
            normal,
            tangential,
            normal_change: impulse.normal_change + normal - impulse.normal,
            tangential_change: impulse.tangential_change + tangential.distance(impulse.tangential),
        }
    };
    contacts.iter().zip(impulses).map(next).collect()
}

/// All of a step's impulses from the velocities `before` them (after the forces): warm start, then [`ITERATIONS`] times
/// [`iterate`], each from u = solids(velocities so far). `solids` adds the impulses of immovable solids. Returns the
/// impulses and the velocities u that move the particles.
pub fn solve(
    scene: &Scene,
    contacts: &[Contact],
    loads: &[f64],
    before: &[DVec3],
    memory: &Memory,
    solids: impl Fn(&mut [DVec3]),
) -> (Vec<Impulse>, Vec<DVec3>) {
    let velocities = |impulses: &[Impulse]| {
        let mut u = velocities(scene, contacts, before, impulses);
        solids(&mut u);
        u
    };
    let mut impulses = warm_start(contacts, memory);
    for _ in 0..ITERATIONS {
        impulses = iterate(scene, contacts, loads, &velocities(&impulses), &impulses);
    }
    let u = velocities(&impulses);
    (impulses, u)
}
