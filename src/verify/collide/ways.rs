//! Fast points, and what they come at on their ways.

use glam::DVec3;

use super::inside::slacks;
use super::search::Search;
use crate::Result;
use crate::gpu::types::{HIT_STRIDE, INSIDE_SLACK, NONE, Tested};
use crate::reference::contact::boxes;
use crate::reference::contact::inside::Tetrahedra;
use crate::verify::ErrorStats;

/// Whether the way of a particle enters a tetrahedron, with the larger slack no later than another one with the smaller.
pub fn entered_first(search: &Search<'_>) -> impl Fn(usize, usize, Option<usize>) -> bool {
    let tetrahedra = Tetrahedra::new(&search.scene);
    let (lifts, ways) = (boxes::lifts(&search.scene), search.ways());
    let [smaller, larger] = slacks();
    move |i, tet, other| {
        let enters = |tet, slack| {
            let part = tetrahedra.part_of_way(tet, ways[i]?, lifts[i], slack);
            part.map(|[enters, _]| enters)
        };
        let latest = other.and_then(|other| enters(other, smaller)).unwrap_or(1.0);
        enters(tet, larger).is_some_and(|own| own <= latest)
    }
}

/// Fast points that no tetrahedron of their lists holds where they are tested ahead are tested where they come in; all others stay
/// where they were.
pub fn way_end(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("way_end");
    let tetrahedra = Tetrahedra::new(&search.scene);
    let (lifts, ways) = (boxes::lifts(&search.scene), search.ways());
    let tested: Vec<Tested> = after.get("tested");
    let lists = search.found.met.tets.chunks_exact(HIT_STRIDE as usize);
    for (i, (ahead, list)) in search.found.ahead.iter().zip(lists).enumerate() {
        let got = tested[i];
        errors
            .holds((got.body, got.normal, got.margin) == (ahead.body, ahead.normal, ahead.margin));
        let held = list[..search.found.met.counts[i] as usize].iter().map(|tet| *tet as usize);
        let q = ahead.position.as_dvec3();
        let [least, most] = slacks().map(|slack| {
            held.clone().filter(|tet| tetrahedra.hold(*tet, q, lifts[i], slack)).count()
        });
        let Some(way) = ways[i].filter(|_| list[0] != NONE && most == 0) else {
            errors.holds(got.position == ahead.position || least == 0 && most > 0);
            continue;
        };
        // How far the place is off for each unit that a barycentric coordinate is.
        let part = |slack| {
            let parts = held
                .clone()
                .filter_map(|tet| Some((tet, tetrahedra.part_of_way(tet, way, lifts[i], slack)?)));
            parts.min_by(|a, b| a.1[0].total_cmp(&b.1[0]))
        };
        let slack = f64::from(INSIDE_SLACK);
        let (Some((tet, [enters, leaves])), Some((_, wider))) = (part(slack), part(2.0 * slack))
        else {
            continue;
        };
        let [start, way] = way;
        let place = (enters + f64::from(ahead.margin) / way.length()).min(0.5 * (enters + leaves));
        let corners = search.scene.corners(search.scene.tets[tet]);
        let far = corners.into_iter().map(|x| x.distance(start)).fold(0.0, f64::max);
        let steep = ((enters - wider[0]).abs() + (leaves - wider[1]).abs()) / slack;
        let scale = start.length() + way.length() * (1.0 + steep * far / least_height(corners));
        errors.vector(got.position, start + place * way, scale);
    }
    Ok(())
}

/// The least distance of a tetrahedron's corners from the faces opposite \[m\].
fn least_height(x: [DVec3; 4]) -> f64 {
    let volume = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]).abs();
    let area = |k: usize| {
        let [a, b, c] = [1, 2, 3].map(|j| x[(k + j) % 4]);
        (b - a).cross(c - a).length()
    };
    volume / (0..4).map(area).fold(0.0, f64::max)
}
