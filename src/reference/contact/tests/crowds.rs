//! Many spheres at once: which partners count.

use super::shapes::{PLAIN, Random, cube, empty, scene};
use super::spheres::{ROUND, cloud, clouds};
use crate::reference::contact::spheres::{PARTNERS_PER_SPHERE, Partner, touching};
use crate::reference::contact::{BodyContact, Scene};
use glam::DVec3;

/// Two of a hundred spheres of one size: whichever body comes first, the same pairs touch, the nearest of those that
/// either one has room for; and surfaces have places of their own.
#[test]
fn of_many_partners_the_nearest_are_kept() {
    let mut random = Random::new(35);
    let swarm: Vec<_> = (0..40).map(|_| 0.1 * random.vector(1.0)).collect();
    let pairs = |first_alone: bool| {
        let mut scene = scene(&[cube(1).shifted(DVec3::NEG_Y * 0.55)], PLAIN);
        let alone = |scene: &mut Scene| cloud(scene, &[DVec3::ZERO], ROUND);
        let mut one = if first_alone { alone(&mut scene) } else { 0 };
        let first = cloud(&mut scene, &swarm, ROUND);
        if !first_alone {
            one = alone(&mut scene);
        }
        let mut found = Vec::new();
        for (i, (meetings, dropped)) in touching(&scene).into_iter().enumerate() {
            assert_eq!(dropped > 0, i == one);
            for meeting in meetings {
                match meeting.partner {
                    Partner::Sphere(j) => found.push(if i == one { j } else { i } - first),
                    Partner::Triangle(_) if i == one => found.push(1000),
                    Partner::Triangle(_) => {}
                }
            }
        }
        found.sort_unstable();
        found
    };
    let found = pairs(true);
    assert_eq!(found, pairs(false));
    // Each of the forty lists the one, which has room for sixteen.
    assert_eq!(found.len(), 41);
    assert!(found.contains(&1000), "the cube");
}

/// Where many crowd, both lists are full: a pair counts if it is in either.
#[test]
fn crowds_do_not_depend_on_the_order_of_bodies() {
    let mut random = Random::new(36);
    let sides = [(); 2].map(|()| (0..30).map(|_| 0.08 * random.vector(1.0)).collect::<Vec<_>>());
    let pairs = |swapped: bool| {
        let order = if swapped { [1, 0] } else { [0, 1] };
        let scene = clouds(&order.map(|k| &sides[k][..]), ROUND);
        let mut found = Vec::new();
        for (i, (meetings, dropped)) in touching(&scene).into_iter().enumerate() {
            assert!(dropped > 0);
            for meeting in meetings {
                let Partner::Sphere(j) = meeting.partner else { panic!("no surface") };
                let mut pair = [0; 2];
                [i, j].iter().for_each(|k| pair[order[k / 30]] = k % 30);
                found.push(pair);
            }
        }
        found.sort_unstable();
        found
    };
    let found = pairs(false);
    assert!(found.len() > 30 * PARTNERS_PER_SPHERE, "{}", found.len());
    assert_eq!(found, pairs(true));
}

#[test]
fn the_smaller_sphere_lists_the_pair() {
    let small: Vec<_> = (0..50).map(|k| DVec3::X * (0.004 * f64::from(k) - 0.1)).collect();
    for large_first in [true, false] {
        let mut scene = empty();
        let large = |scene: &mut Scene| {
            let body = BodyContact { radius: 1.0, edge: 2.0, ..ROUND };
            cloud(scene, &[DVec3::Y * 1.05], body)
        };
        if large_first {
            large(&mut scene);
        }
        let first = cloud(&mut scene, &small, ROUND);
        if !large_first {
            large(&mut scene);
        }
        let found = touching(&scene);
        assert!(found.iter().all(|(_, dropped)| *dropped == 0));
        let all = first..first + small.len();
        assert!(all.clone().all(|i| found[i].0.len() == 1));
    }
}
