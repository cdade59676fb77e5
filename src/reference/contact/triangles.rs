//! Contact triangles: where the penetration vector meets the surface, and the contacts made of them.

use glam::DVec3;

use super::boxes::lifts;
use super::geometry::{Crossing, Exits, barycentric_in_triangle};
use super::inside::start;
use super::penetration::Penetration;
use super::{Record, Scene};

/// The least n · r of a contact triangle: flatter ones would be met far away.
pub const FACING: f64 = 0.1;

/// Whether a face with unit normal n looks against a feature with outward normal n_i, n · n_i ≤ −0.1 |n_i|²: every face
/// does where n_i = 0.
pub fn looks_against(normal: DVec3, outward: DVec3) -> bool {
    normal.dot(outward) <= -FACING * outward.length_squared()
}

/// Where the penetration vector of a body meets its surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactTriangle {
    /// The surface triangle.
    pub triangle: usize,
    /// r, the unit vector out of the body.
    pub direction: DVec3,
    /// The surface triangle whose normal r is, because the record's own direction grazes it.
    pub turned_at: Option<usize>,
    /// g \[m\]: how far the feature's position, without its margin, is behind the triangle along r; negative: a gap.
    pub depth: f64,
    /// Barycentric coordinates of the contact point; they sum to 1 and may be a little outside 0 to 1, because it is
    /// seen from x and the triangle from q.
    pub barycentric: [f64; 3],
}

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// It has a contact triangle.
    Found(ContactTriangle),
    /// Its penetration vector meets no triangle that faces it, or only one too far.
    Lost,
    /// It has no penetration vector.
    Undirected,
}

/// The contact triangle of every record of a particle: the first surface triangle through which the ray along r leaves the body
/// within 2 max(h, 0) + 3 m, m how far the tested position is from the particle's own, x. The ray begins at x where the
/// body holds it, else where [`start`] tells. A triangle with n · r < 0.1 turns the ray to r = n, which then must
/// [look against](looks_against) the particle. It is lost where still n · r < 0.1, g < −2m or g > 2h + m, or where the
/// particle is a corner of the triangle.
pub fn contact_triangles(
    scene: &Scene,
    tested: &[DVec3],
    records: &[Record],
    penetration: &[Option<Penetration>],
) -> Vec<Outcome> {
    let (exits, lifts) = (Exits::new(scene), lifts(scene));
    let outcome = |(record, penetration): (&Record, &Option<Penetration>)| {
        let Some(way) = penetration else { return Outcome::Undirected };
        let outward = lifts[record.feature].normalize_or_zero();
        let found = contact_triangle(scene, &exits, tested[record.feature], outward, record, way);
        found.map_or(Outcome::Lost, Outcome::Found)
    };
    records.iter().zip(penetration).map(outcome).collect()
}

fn contact_triangle(
    scene: &Scene,
    exits: &Exits,
    q: DVec3,
    outward: DVec3,
    record: &Record,
    penetration: &Penetration,
) -> Option<ContactTriangle> {
    let x = scene.position[record.feature];
    let margin = q.distance(x);
    let reach = 2.0 * penetration.depth.max(0.0) + 3.0 * margin;
    let leaves = ray(scene, exits, record, q, x);
    let mut direction = penetration.direction;
    let mut exit = leaves(direction, reach)?;
    let mut turned_at = None;
    if exit.normal.dot(direction) < FACING {
        direction = exit.normal;
        turned_at = Some(exit.triangle);
        exit = leaves(direction, reach)?;
        if !looks_against(direction, outward) {
            return None;
        }
    }
    let corners = scene.surface[exit.triangle];
    if corners.contains(&record.feature) || exit.normal.dot(direction) < FACING {
        return None;
    }
    let [a, b, c] = scene.corners(corners);
    let depth = (a - x).dot(exit.normal) / direction.dot(exit.normal);
    if depth < -2.0 * margin || depth > 2.0 * penetration.depth + margin {
        return None;
    }
    Some(ContactTriangle {
        triangle: exit.triangle,
        direction,
        turned_at,
        depth,
        barycentric: barycentric_in_triangle(x + depth * direction, [a, b, c])?,
    })
}

/// Where rays along a direction leave a record's body (in self-contact the fold) within a length, from `x` where the
/// body holds it, else from where lines out of it begin for the tested position `q`.
fn ray<'a>(
    scene: &'a Scene,
    exits: &'a Exits<'_>,
    record: &Record,
    q: DVec3,
    x: DVec3,
) -> impl Fn(DVec3, f64) -> Option<Crossing> + 'a {
    let mut record = *record;
    let mut from = start(scene, record.tet, q);
    if exits.first_of_record(&record, from, x - from, 1.0).is_none() {
        record.tet = exits.end_in_fold(record.tet, from, x - from);
        from = x;
    }
    move |direction, limit| exits.first_of_record(&record, from, direction, limit)
}

/// A feature against a triangle of the body that it is inside of, or a [sphere](super::spheres) against a triangle or
/// another sphere.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    /// The feature, see [`Record`].
    pub feature: usize,
    /// What is on the other side: the body, or of another sphere the number of bodies plus its particle.
    pub partner: usize,
    /// Particles of the feature with their weights, which sum to 1.
    pub points: Vec<(usize, f64)>,
    /// Particles of the other side with their weights, which sum to 1: the corners of the triangle with the barycentric
    /// coordinates of the contact point, or the other sphere.
    pub others: Vec<(usize, f64)>,
    /// r, the unit vector out of the body: the feature is pushed along it, the other side against it.
    pub direction: DVec3,
    /// h \[m\], the estimate of the depth that the direction came with.
    pub estimate: f64,
    /// R \[m\], how far apart along r the two sides touch: the sum of the radii, 0 without spheres.
    pub reach: f64,
    /// g \[m\], the depth along r: R − (Σ w x)·r; negative: a gap.
    pub depth: f64,
    /// μ, the geometric mean of both bodies'.
    pub friction: f64,
    /// The smaller mean edge of the two bodies \[m\].
    pub edge: f64,
    /// v* \[m/s\], the least relative speed along r after the step.
    pub target: f64,
}

impl Contact {
    /// All particles that take part, with their weights w: those of the feature, then those of the other side with the
    /// opposite sign. Σ w = 0, and the relative velocity is Σ w v.
    pub fn participants(&self) -> Vec<(usize, f64)> {
        let others = self.others.iter().map(|&(k, b)| (k, -b));
        self.points.iter().copied().chain(others).collect()
    }

    /// The corners of the triangle, if the other side is one.
    pub fn corners(&self) -> Option<[usize; 3]> {
        let corners: Vec<usize> = self.others.iter().map(|&(k, _)| k).collect();
        corners.try_into().ok()
    }
}

/// The contacts of all records that have a triangle, in order of record.
///
/// v* = min(g, 0)/h: the gap may close in this step, but not more.
pub fn contacts(
    scene: &Scene,
    records: &[Record],
    penetration: &[Option<Penetration>],
    outcomes: &[Outcome],
) -> Vec<Contact> {
    let edges = scene.surface_edges();
    let mut contacts = Vec::new();
    for ((record, penetration), outcome) in records.iter().zip(penetration).zip(outcomes) {
        if let (Some(penetration), Outcome::Found(triangle)) = (penetration, outcome) {
            let feature = scene.feature(&edges, record);
            contacts.push(contact(scene, record, feature, penetration, triangle));
        }
    }
    contacts
}

fn contact(
    scene: &Scene,
    record: &Record,
    points: Vec<(usize, f64)>,
    penetration: &Penetration,
    triangle: &ContactTriangle,
) -> Contact {
    let (own, other) = (&scene.bodies[scene.body[points[0].0]], &scene.bodies[record.body]);
    let mut contact = Contact {
        feature: record.feature,
        partner: record.body,
        points,
        others: scene.surface[triangle.triangle].into_iter().zip(triangle.barycentric).collect(),
        direction: triangle.direction,
        estimate: penetration.depth,
        reach: 0.0,
        depth: triangle.depth,
        friction: (own.friction * other.friction).sqrt(),
        edge: own.edge.min(other.edge),
        target: 0.0,
    };
    contact.target = target(scene, &contact);
    contact
}

/// v* \[m/s\] of a contact, see [`contacts`].
pub(super) fn target(scene: &Scene, contact: &Contact) -> f64 {
    contact.depth.min(0.0) / scene.step
}
