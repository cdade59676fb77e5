//! Impulses of contacts: equal and opposite, all from the same velocities, with the masses split.
//!
//! Each contact works with its share of its particles' masses (m_k/c_k, c_k the contacts of k), so that the sum of all
//! impulses overshoots nothing (Tonge et al. 2012).

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::project::split_inverse_mass;
use super::triangles::Contact;
use super::{Scene, weighted};

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

/// The memory with what spheres take along from one triangle of a body to another: of each feature and body the new
/// triangles, ascending, take the impulses of those that are touched no more, ascending. `body_of` tells the body of a
/// partner that is a triangle.
pub fn taken_along(
    contacts: &[Contact],
    memory: &Memory,
    body_of: impl Fn(usize) -> Option<usize>,
) -> Memory {
    let mut taken = memory.clone();
    let now: BTreeSet<_> = contacts.iter().map(|c| (c.feature, c.partner)).collect();
    let keys = memory.iter().filter(|(key, _)| !now.contains(key));
    let mut left: Vec<_> = keys.collect();
    for &(feature, partner) in now.iter().filter(|key| !memory.contains_key(key)) {
        let Some(body) = body_of(partner) else {
            continue;
        };
        let same =
            |((f, p), _): &(&(usize, usize), &Impulse)| *f == feature && body_of(*p) == Some(body);
        if let Some(place) = left.iter().position(same) {
            taken.insert((feature, partner), *left.remove(place).1);
        }
    }
    taken
}

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
/// − v*)/W) and λ_t' = λ_t − v_t/W clipped to μ λ_n'. A contact whose particles are all held has no
/// impulse. `loads` are those of each particle.
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
