//! What is remembered of the contacts of the last search.

use super::geometry::area_vector;
use super::penetration::Penetration;
use super::triangles::Contact;
use super::{Record, Scene};

/// What each record starts from where the `last` contacts have one of the same feature with the same body, at the
/// present positions: for a particle the unit normal n of that contact's triangle and max(0, (a − x)·n), how far it is
/// behind its plane; for an edge that contact's direction and max(0, g). None for records without one, and where the
/// triangle has become flat.
pub fn recalled(scene: &Scene, records: &[Record], last: &[Contact]) -> Vec<Option<Penetration>> {
    let recall = |record: &Record| {
        let same = |c: &&Contact| (c.feature, c.partner) == (record.feature, record.body);
        let contact = last.iter().find(same)?;
        let Some(x) = scene.position.get(record.feature) else {
            return Some(Penetration {
                depth: contact.depth.max(0.0),
                direction: contact.direction,
            });
        };
        let corners = scene.corners(contact.corners()?);
        let direction = area_vector(corners)?.normalize();
        Some(Penetration { depth: (corners[0] - x).dot(direction).max(0.0), direction })
    };
    records.iter().map(recall).collect()
}
