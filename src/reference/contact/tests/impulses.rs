//! Impulses: closed forms of one contact, conservation, energy.

use crate::extreme::greatest;
use glam::DVec3;

use super::poses::heap;
use super::positions::one;
use super::shapes::{PLAIN, Random, cube, scene, two_cubes};
use crate::reference::contact::detect::detect;
use crate::reference::contact::impulse::{Impulse, Memory, iterate, velocities, warm_start};
use crate::reference::contact::project::loads;
use crate::reference::contact::triangles::Contact;
use crate::reference::contact::{BodyContact, Scene, weighted};

/// Particle 3 on a triangle whose corners are held, r = +Y; 1 kg.
fn on_a_table(friction: f64, target: f64) -> (Scene, Vec<Contact>) {
    let (mut scene, mut contacts) = one(0.0);
    scene.inverse_mass = vec![0.0, 0.0, 0.0, 1.0];
    (contacts[0].friction, contacts[0].target) = (friction, target);
    (scene, contacts)
}

/// The impulses of two iterations from none, and the velocities after them.
fn solved(
    scene: &Scene,
    contacts: &[Contact],
    loads: &[f64],
    before: &[DVec3],
) -> (Vec<Impulse>, Vec<DVec3>) {
    let mut impulses = vec![Impulse::default(); contacts.len()];
    for _ in 0..2 {
        let u = velocities(scene, contacts, before, &impulses);
        impulses = iterate(scene, contacts, loads, &u, &impulses);
    }
    let u = velocities(scene, contacts, before, &impulses);
    (impulses, u)
}

/// The velocity of the particle on the table after a step's impulses, and these.
fn after(friction: f64, target: f64, velocity: DVec3) -> (DVec3, Impulse) {
    let (scene, contacts) = on_a_table(friction, target);
    let before = [DVec3::ZERO, DVec3::ZERO, DVec3::ZERO, velocity];
    let (impulses, u) = solved(&scene, &contacts, &[1.0; 4], &before);
    (u[3], impulses[0])
}

#[test]
fn one_contact_is_solved_exactly() {
    let close = |a: DVec3, b: DVec3| assert!((a - b).length() < 1e-15, "{a} {b}");
    // without friction only the approach is taken
    close(after(0.0, 0.0, DVec3::new(3.0, -2.0, 1.0)).0, DVec3::new(3.0, 0.0, 1.0));
    // a gap may close
    close(after(0.0, -0.5, DVec3::Y * -2.0).0, DVec3::Y * -0.5);
    close(after(0.0, -0.5, DVec3::Y * -0.3).0, DVec3::Y * -0.3);
    // what approached fast bounces
    close(after(0.0, 0.7, DVec3::Y * -2.0).0, DVec3::Y * 0.7);
    // inside the cone nothing slides, outside friction takes μ λ_n
    close(after(0.5, 0.0, DVec3::new(0.9, -2.0, 0.0)).0, DVec3::ZERO);
    close(after(0.5, 0.0, DVec3::new(3.0, -2.0, 4.0)).0, DVec3::new(2.4, 0.0, 3.2));
    // nothing pulls
    let (u, impulse) = after(0.5, 0.0, DVec3::new(1.0, 2.0, 0.0));
    assert_eq!((u, impulse), (DVec3::new(1.0, 2.0, 0.0), Impulse::default()));
}

#[test]
fn an_iteration_takes_back_what_was_too_much() {
    let (scene, contacts) = on_a_table(0.0, 0.0);
    let start = [Impulse { normal: 5.0, ..Impulse::default() }];
    let before = [DVec3::ZERO, DVec3::ZERO, DVec3::ZERO, DVec3::Y * -2.0];
    let u = velocities(&scene, &contacts, &before, &start);
    assert_eq!(u[3], DVec3::Y * 3.0);
    let next = iterate(&scene, &contacts, &[1.0; 4], &u, &start);
    assert_eq!(next[0].normal, 2.0);
}

#[test]
fn split_masses_share_one_impulse() {
    // the same contact thrice: each does a third, together they stop the particle at once
    let (scene, contacts) = on_a_table(0.0, 0.0);
    let contacts = vec![contacts[0].clone(); 3];
    let before = [DVec3::ZERO, DVec3::ZERO, DVec3::ZERO, DVec3::Y * -3.0];
    let none = [Impulse::default(); 3];
    let speed = |loads: &[f64]| {
        let next = iterate(&scene, &contacts, loads, &before, &none);
        velocities(&scene, &contacts, &before, &next)[3].y
    };
    assert!(speed(&loads(&contacts, 4)).abs() < 1e-15);
    assert!((speed(&[1.0; 4]) - 6.0).abs() < 1e-15, "unsplit: four times the energy");
}

#[test]
fn held_contacts_have_no_impulse() {
    let (mut scene, contacts) = on_a_table(0.5, 0.0);
    scene.inverse_mass[3] = 0.0;
    let before = [DVec3::NEG_Y; 4];
    let (impulses, u) = solved(&scene, &contacts, &[1.0; 4], &before);
    assert_eq!((impulses[0], u), (Impulse::default(), before.to_vec()));
}

#[test]
fn warm_starts_turn_with_the_direction_and_stay_in_the_cone() {
    let (_, mut contacts) = on_a_table(0.5, 0.0);
    let last = Impulse { normal: 2.0, tangential: DVec3::new(0.8, 0.0, 0.0), ..Impulse::default() };
    let known = Memory::from([((3, 0), last)]);
    assert_eq!(warm_start(&contacts, &known), [last]);
    contacts[0].direction = DVec3::new(0.6, 0.8, 0.0);
    let turned = warm_start(&contacts, &known)[0];
    // 0.8 X less its part along r
    let wanted = DVec3::new(0.8 - 0.48 * 0.6, -0.48 * 0.8, 0.0);
    assert!((turned.tangential - wanted).length() < 1e-15);
    assert_eq!(turned.normal, 2.0);
    contacts[0].friction = 0.1;
    let clipped = warm_start(&contacts, &known)[0];
    assert!((clipped.tangential.length() - 0.2).abs() < 1e-15);
    contacts[0].partner = 7;
    assert_eq!(warm_start(&contacts, &known), [Impulse::default()]);
}

/// Two cubes that fly at each other.
fn collision(seed: u64, friction: f64) -> (Scene, Vec<Contact>) {
    let body = BodyContact { margin: 0.002, friction, ..PLAIN };
    let scene = two_cubes(3, seed, body);
    let contacts = detect(&scene).contacts;
    (scene, contacts)
}

fn momenta(scene: &Scene, u: &[DVec3]) -> (DVec3, DVec3) {
    let momentum = |i: usize| u[i] / scene.inverse_mass[i];
    let spin = |i: usize| scene.position[i].cross(momentum(i));
    ((0..u.len()).map(momentum).sum(), (0..u.len()).map(spin).sum())
}

fn energy(scene: &Scene, u: &[DVec3]) -> f64 {
    let of = |(v, w): (&DVec3, &f64)| 0.5 * v.length_squared() / w;
    u.iter().zip(&scene.inverse_mass).map(of).sum()
}

/// Without friction both sides act on one line, and angular momentum is kept, too; across it they act apart.
#[test]
fn impulses_keep_momentum_and_gain_no_energy() {
    let mut acting = 0;
    for (seed, friction) in
        (1..40).flat_map(|seed| [0.0, 0.4, 5.0].map(|friction| (seed, friction)))
    {
        for scene in [collision(seed, friction).0, heap(seed, friction)] {
            let mut contacts = detect(&scene).contacts;
            contacts.iter_mut().for_each(|c| c.target = 0.0);
            let loads = loads(&contacts, scene.position.len());
            let before = &scene.velocity;
            let size: f64 =
                before.iter().zip(&scene.inverse_mass).map(|(v, w)| v.length() / w).sum();
            let mut impulses = vec![Impulse::default(); contacts.len()];
            for round in 0..8 {
                let u = velocities(&scene, &contacts, before, &impulses);
                let [(linear, spin), (first, first_spin)] =
                    [&u, before].map(|u| momenta(&scene, u));
                assert!((linear - first).length() < 1e-12 * size, "seed {seed}");
                assert!(
                    friction > 0.0 || (spin - first_spin).length() < 1e-12 * size,
                    "seed {seed}"
                );
                let gain = energy(&scene, &u) / energy(&scene, before);
                assert!(gain <= 1.0 + 1e-12, "seed {seed} round {round}");
                impulses = iterate(&scene, &contacts, &loads, &u, &impulses);
            }
            acting += impulses.iter().filter(|i| i.normal > 0.0).count();
        }
    }
    assert!(acting > 2000, "{acting}");
}

#[test]
fn iterations_lead_to_no_approach() {
    let (scene, mut contacts) = collision(5, 0.0);
    contacts.iter_mut().for_each(|c| c.target = 0.0);
    assert!(contacts.len() > 3);
    let loads = loads(&contacts, scene.position.len());
    let mut impulses = vec![Impulse::default(); contacts.len()];
    for _ in 0..20_000 {
        let u = velocities(&scene, &contacts, &scene.velocity, &impulses);
        impulses = iterate(&scene, &contacts, &loads, &u, &impulses);
    }
    let u = velocities(&scene, &contacts, &scene.velocity, &impulses);
    for (contact, impulse) in contacts.iter().zip(&impulses) {
        let speed = weighted(&contact.participants(), &u).dot(contact.direction);
        assert!(speed > -1e-6, "{speed}");
        assert!(impulse.normal * speed < 1e-6, "{impulse:?} {speed}");
    }
}

/// A cube that falls flat on another at about 1 m/s, and the contacts.
fn landing() -> (Scene, Vec<Contact>) {
    let upper = cube(2).map(|x| DVec3::new(0.8 * x.x, x.y + 0.999, 0.8 * x.z));
    let mut scene = scene(&[cube(2), upper], PLAIN);
    let mut random = Random::new(3);
    for (v, body) in scene.velocity.iter_mut().zip(&scene.body) {
        *v = -(*body as f64) * DVec3::Y + 0.1 * random.vector(1.0);
    }
    let contacts = detect(&scene).contacts;
    (scene, contacts)
}

#[test]
fn a_cube_lands_on_another() {
    let (scene, contacts) = landing();
    let loads = loads(&contacts, scene.position.len());
    let before = &scene.velocity;
    let (_, u) = solved(&scene, &contacts, &loads, before);
    let approach = |u: &[DVec3]| -> f64 {
        let of = |c: &Contact| weighted(&c.participants(), u).dot(c.direction).min(0.0);
        contacts.iter().map(of).sum()
    };
    assert!(approach(&u) > 0.5 * approach(before), "{}", approach(&u));
}

/// A light particle in front of a heavy one, which damping makes as fast before every step's impulse: the impulse grows
/// until the pair stops, as a spring would. What it loses of its changes it does not give back; at rest it stays.
#[test]
fn an_impulse_that_grew_does_not_throw_back() {
    let (share, fall): (f64, f64) = (0.1, 0.01);
    let run = |gravity: f64, kept: &dyn Fn(&Impulse) -> Impulse| {
        let (mut speed, mut impulse, mut highest) = (-1.0, Impulse::default(), 0.0_f64);
        for _ in 0..400 {
            let start = kept(&impulse);
            let together = (1.0 - share) * speed + share * start.normal - gravity;
            let normal = (start.normal - together).max(0.0);
            impulse =
                Impulse { normal, normal_change: normal - start.normal, ..Impulse::default() };
            speed = together;
            highest = greatest(highest, speed);
        }
        (highest, speed, impulse.normal)
    };
    let whole = run(0.0, &|last| Impulse { normal_change: 0.0, ..*last }).0;
    let kept = run(0.0, &Impulse::kept).0;
    assert!(whole > 0.55 && kept < 0.35, "{whole} {kept}");
    let (_, speed, normal) = run(fall * share, &Impulse::kept);
    assert!(speed.abs() < 1e-3 && (normal - fall).abs() < 1e-3, "{speed} {normal}");
}

#[test]
fn what_changed_is_half_kept() {
    let last = Impulse {
        normal: 2.0,
        tangential: DVec3::X * 0.6,
        normal_change: -1.0,
        tangential_change: 0.4,
    };
    let kept = last.kept();
    assert!((kept.normal - 1.5).abs() < 1e-15);
    assert!((kept.tangential - DVec3::X * 0.4).length() < 1e-15);
    assert_eq!((kept.normal_change, kept.tangential_change), (0.0, 0.0));
    let all = Impulse { normal_change: 5.0, tangential_change: 5.0, ..last };
    assert_eq!(all.kept(), Impulse::default());
}
