//! Bodies that bounce as wholes: their sums, motions and impacts.

use glam::{DMat3, DVec3, UVec2, UVec4, Vec3, Vec4};

use super::bench::Bench;
use super::case::Random;
use super::oracle::Oracle;
use super::tally::Tally;
use super::touch::uniform;
use crate::Result;
use crate::gpu::types::{
    BOUNCE_STRAIN, BOUNCE_TOUCHES, Body, BounceChange, BounceMotion, BouncePart, Chunk, Collide,
    Contact, Edge, IMPACT_BODIES, IMPACT_SOLIDS, KIND_SHAPE, NONE, Sim, TOUCH_SOLID, TouchSum,
};
use crate::gpu::{Buffer, Kernel};
use crate::reference::bounce::{Impact, Whole, at, impulse, wave_speed};
use crate::reference::solids;

/// A point mass: its mass, where it is and how it moves.
type Mass = (f64, DVec3, DVec3);

/// The case's bodies with other restitutions, sizes and kinds; some go on in an impact.
fn bodies(bench: &Bench<'_>, random: &mut Random) -> Result<Vec<Body>> {
    let mut bodies = bench.buffers.bodies.read(bench.context)?;
    for (index, body) in bodies.iter_mut().enumerate() {
        body.restitution = match index % 4 {
            3 => -1.0,
            _ => random.between(0.0, 1.0) as f32,
        };
        body.impact = [0, IMPACT_SOLIDS, IMPACT_BODIES][random.index(0, 3)];
        body.edge = random.between(0.05, 3.0) as f32;
        body.touching = random.index(0, 2) as u32;
        if index % 3 == 2 {
            body.kind = KIND_SHAPE;
        }
    }
    Ok(bodies)
}

/// What the sums of particles `part` should be, r from `origin`, and the sums of the sizes of their terms.
fn sums(
    bench: &Bench<'_>,
    body: &Body,
    part: std::ops::Range<usize>,
    origin: Vec3,
) -> [BouncePart64; 2] {
    let case = bench.case;
    let oracle = Oracle::new(case, &case.sim, &case.particles);
    let (system, h) = (&oracle.system, f64::from(case.sim.step));
    let [mut sum, mut size] = [BouncePart64::default(), BouncePart64::default()];
    for i in part {
        if case.particles[i].inverse_mass == 0.0 {
            sum.held += 1.0;
            continue;
        }
        let (m, x, v) = (system.mass(i), system.position[i], system.velocity[i]);
        let r = x - origin.as_dvec3();
        let reach = x.length() + f64::from(origin.length());
        sum.add(m, r, v);
        size.add_sizes(m, reach, v.length());
        if body.restitution < 0.0 {
            continue;
        }
        for (k, solid) in system.solids.iter().enumerate() {
            let (surface, _) = solids::motion(system, k).at(x, 0.0);
            let (depth, n) = solids::depth(solid, x);
            let depth = depth + f64::from(body.radius);
            let approach = -(v + h * system.gravity - surface).dot(n);
            let ahead = f64::from(case.sim.bounce_steps) * h * approach;
            let weight = if body.impact & IMPACT_SOLIDS == 0 {
                if ahead > (-depth).max(0.0) {
                    m * approach
                } else {
                    0.0
                }
            } else if -depth < f64::from(body.margin) + ahead.max(0.0) {
                m
            } else {
                0.0
            };
            let speeds = v.length() + h * system.gravity.length() + surface.length();
            let weigh = if weight > 0.0 {
                m * (1.0 + speeds)
            } else {
                0.0
            };
            if weight > sum.most.0 {
                sum.most = (weight, k);
            }
            sum.meet(weight, r - f64::from(body.radius) * n, n, surface);
            // Normals of round solids turn with rounding of places.
            size.meet(
                2.0 * weigh,
                DVec3::splat(reach + 1.0),
                DVec3::splat(1.0 + reach),
                DVec3::splat(1.0 + surface.length()),
            );
        }
    }
    [sum, size]
}

/// The sums in f64.
#[derive(Clone, Debug, Default)]
struct BouncePart64 {
    mass: f64,
    held: f64,
    weight: f64,
    /// The greatest weight of one particle, and of which solid.
    most: (f64, usize),
    /// Σ m r, Σ m v, Σ m r × v, the squares' diagonal and the rest, Σ w r, Σ w n, Σ w s.
    sums: [DVec3; 8],
}

impl BouncePart64 {
    fn add(&mut self, m: f64, r: DVec3, v: DVec3) {
        self.mass += m;
        let off = DVec3::new(r.y * r.z, r.z * r.x, r.x * r.y);
        for (sum, part) in self.sums.iter_mut().zip([r, v, r.cross(v), r * r, off]) {
            *sum += m * part;
        }
    }

    fn add_sizes(&mut self, m: f64, reach: f64, speed: f64) {
        self.mass += m;
        let parts = [
            reach,
            speed,
            2.0 * reach * speed,
            reach * reach,
            reach * reach,
        ];
        for (sum, part) in self.sums.iter_mut().zip(parts) {
            *sum += DVec3::splat(m * part);
        }
    }

    fn meet(&mut self, weight: f64, r: DVec3, n: DVec3, surface: DVec3) {
        self.weight += weight;
        for (sum, part) in self.sums[5..].iter_mut().zip([r, n, surface]) {
            *sum += weight * part;
        }
    }

    fn stored(&self) -> BouncePart {
        let w = [
            self.mass,
            self.held,
            0.0,
            0.0,
            0.0,
            self.weight,
            self.most.0,
            self.most.1 as f64,
        ];
        let [
            place,
            momentum,
            spin,
            square,
            square_off,
            contact,
            normal,
            surface,
        ] = std::array::from_fn(|k| self.sums[k].as_vec3().extend(w[k] as f32));
        BouncePart {
            place,
            momentum,
            spin,
            square,
            square_off,
            contact,
            normal,
            surface,
        }
    }
}

fn columns(part: &BouncePart) -> [Vec4; 8] {
    let BouncePart {
        place,
        momentum,
        spin,
        square,
        square_off,
        contact,
        normal,
        surface,
    } = *part;
    [
        place, momentum, spin, square, square_off, contact, normal, surface,
    ]
}

/// The sums of every chunk.
pub fn sum(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (context, case) = (bench.context, bench.case);
    let mut random = Random::new(121);
    let bodies = bodies(bench, &mut random)?;
    let ranges = bench.buffers.chunks.read(context)?;
    let body_buffer = Buffer::new(context, "bodies", &bodies)?;
    let parts = Buffer::<BouncePart>::zeroed(context, "bounce_parts", ranges.len())?;
    let others = [
        body_buffer.bind("bodies"),
        bench.buffers.chunks.bind("chunks"),
        parts.bind("bounce_parts"),
    ];
    let sim = Sim {
        chunk_count: ranges.len() as u32,
        ..case.sim
    };
    bench.write(&case.particles, &case.particles);
    bench.run(kernel, sim, ranges.len(), &others);
    tally.case();
    let points = bench.buffers.points.read(context)?;
    for (got, range) in parts.read(context)?.iter().zip(&ranges) {
        let part = range.first as usize..range.end as usize;
        if part.is_empty() {
            continue;
        }
        let body = &bodies[points[part.start].body as usize];
        let first = ranges[body.chunk_first as usize].first as usize;
        let [want, size] = sums(bench, body, part, case.particles[first].position);
        for (k, column) in columns(got).into_iter().enumerate() {
            tally.vector(column.truncate(), want.sums[k], size.sums[k].max_element());
        }
        tally.number(got.place.w, want.mass, size.mass);
        tally.number(got.contact.w, want.weight, size.weight);
        tally.holds(got.momentum.w == want.held as f32);
        tally.number(got.normal.w, want.most.0, size.weight);
        tally.holds(got.surface.w == want.most.1 as f32);
    }
    Ok(())
}

/// A body by its sums, r from their origin.
fn whole(part: &BouncePart) -> Whole {
    let [place, momentum, spin, square, off] = [
        part.place,
        part.momentum,
        part.spin,
        part.square,
        part.square_off,
    ]
    .map(|s| s.truncate().as_dvec3());
    let mass = f64::from(part.place.w);
    let mut matrix = [[0.0; 6]; 6];
    let across = |r: DVec3| [[0.0, r.z, -r.y], [-r.z, 0.0, r.x], [r.y, -r.x, 0.0]];
    let inertia =
        DMat3::from_diagonal(DVec3::splat(square.element_sum())) - symmetric64(square, off);
    for k in 0..3 {
        matrix[k][k] = mass;
        for l in 0..3 {
            matrix[k][3 + l] = across(place)[k][l];
            matrix[3 + l][k] = across(place)[k][l];
            matrix[3 + k][3 + l] = inertia.col(l)[k];
        }
    }
    let [p, s] = [momentum.to_array(), spin.to_array()];
    Whole {
        mass: Some(matrix),
        momentum: [p[0], p[1], p[2], s[0], s[1], s[2]],
    }
}

fn symmetric64(d: DVec3, o: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(d.x, o.z, o.y),
        DVec3::new(o.z, d.y, o.x),
        DVec3::new(o.y, o.x, d.z),
    )
}

fn halves(six: &[f64; 6]) -> [DVec3; 2] {
    [DVec3::from_slice(&six[..3]), DVec3::from_slice(&six[3..])]
}

/// The motion of every body, and its impact on the solids.
pub fn body(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (context, case) = (bench.context, bench.case);
    let mut random = Random::new(122);
    let bodies = bodies(bench, &mut random)?;
    let ranges = bench.buffers.chunks.read(context)?;
    let owner =
        |chunk: usize| bodies.partition_point(|body| body.chunk_first as usize <= chunk) - 1;
    let origin = |b: usize| {
        let first = ranges
            .get(bodies[b].chunk_first as usize)
            .map_or(0, |range| range.first);
        case.particles[first as usize].position
    };
    let part = |(c, range): (usize, &Chunk)| {
        let body = Body {
            restitution: bodies[owner(c)].restitution.max(0.0),
            ..bodies[owner(c)]
        };
        let [mut sums, _] = sums(
            bench,
            &body,
            range.first as usize..range.end as usize,
            origin(owner(c)),
        );
        // As in the coarse correction, few bodies of a case have no pins.
        if !owner(c).is_multiple_of(3) {
            sums.held = 0.0;
        }
        sums.stored()
    };
    let parts: Vec<_> = ranges.iter().enumerate().map(part).collect();
    let body_buffer = Buffer::new(context, "bodies", &bodies)?;
    let part_buffer = Buffer::new(context, "bounce_parts", &parts)?;
    let motions = Buffer::<BounceMotion>::zeroed(context, "bounce_motions", bodies.len())?;
    let changes = Buffer::<BounceChange>::zeroed(context, "bounce_changes", bodies.len())?;
    let each = BOUNCE_TOUCHES as usize;
    let touches = Buffer::<TouchSum>::zeroed(context, "bounce_touches", each * bodies.len())?;
    let others = [
        body_buffer.bind("bodies"),
        bench.buffers.chunks.bind("chunks"),
        part_buffer.bind("bounce_parts"),
        motions.bind("bounce_motions"),
        changes.bind("bounce_changes"),
        touches.bind("bounce_touches"),
    ];
    let sim = Sim {
        body_count: bodies.len() as u32,
        ..case.sim
    };
    bench.write(&case.particles, &case.particles);
    bench.run(kernel, sim, bodies.len(), &others);
    tally.case();
    let (got, kicks) = (motions.read(context)?, changes.read(context)?);
    let listed = touches.read(context)?;
    let after = body_buffer.read(context)?;
    for (b, body) in bodies.iter().enumerate() {
        let own = ranges
            .iter()
            .enumerate()
            .filter(|(c, _)| owner(*c) == b)
            .map(|(c, _)| c);
        let mut sum = BouncePart::default();
        let mut range = [u32::MAX, 0];
        let mut most = (0.0, 0);
        for c in own {
            let added = columns(&sum)
                .into_iter()
                .zip(columns(&parts[c]))
                .map(|(a, b)| a + b);
            let all: Vec<Vec4> = added.collect();
            sum = BouncePart {
                place: all[0],
                momentum: all[1],
                spin: all[2],
                square: all[3],
                square_off: all[4],
                contact: all[5],
                normal: all[6],
                surface: all[7],
            };
            let [.., normal, surface] = columns(&parts[c]);
            if normal.w > most.0 {
                most = (normal.w, surface.w as u32);
            }
            range = [range[0].min(ranges[c].first), range[1].max(ranges[c].end)];
        }
        let (got, kick) = (&got[b], &kicks[b]);
        tally.holds(
            [got.first, got.end] == range
                && got.meets == body.touching
                && got.radius == body.radius,
        );
        tally.holds(got.impact == body.impact & IMPACT_BODIES);
        let mass = f64::from(sum.place.w);
        let count = f64::from(range[1] - range[0]);
        if sum.momentum.w > 0.0 || mass <= 0.0 {
            tally.holds(got.inverse_mass == 0.0 && kick.bounces == 0.0 && after[b].impact == 0);
            continue;
        }
        let centre = sum.place.truncate().as_dvec3() / mass;
        let square = f64::from(sum.square.truncate().element_sum());
        let spread = square / mass - centre.length_squared();
        let waves = match body.kind {
            KIND_SHAPE => {
                2.0 / std::f64::consts::PI
                    * spread.max(0.0).sqrt()
                    * f64::from(body.stiffness_rate).sqrt()
            }
            _ => wave_speed(f64::from(body.edge), f64::from(body.stiffness_rate)),
        };
        let stiff = f64::from(BOUNCE_STRAIN) * waves;
        if count > 1.0 {
            tally.number(
                got.stiff_speed,
                stiff,
                stiff * (1.0 + square / mass / spread.max(1e-9)),
            );
        } else {
            tally.holds(got.stiff_speed > 1e38);
        }
        let moving = whole(&sum);
        let [v, spin] = halves(&moving.motion());
        let size = 1.0 + v.length() + spin.length() * (1.0 + centre.length());
        // Moments about the centre are differences of those about the origin.
        let turned = symmetric64(
            DVec3::splat(square) - sum.square.truncate().as_dvec3(),
            -sum.square_off.truncate().as_dvec3(),
        );
        let own_turn = turned
            - mass
                * (DMat3::from_diagonal(DVec3::splat(centre.length_squared()))
                    - DMat3::from_cols(centre * centre.x, centre * centre.y, centre * centre.z));
        let least = own_turn.inverse();
        let firm = if count > 2.0 {
            square
                * [least.x_axis, least.y_axis, least.z_axis]
                    .map(DVec3::length)
                    .into_iter()
                    .fold(1.0, f64::max)
        } else {
            1.0
        };
        let scale = size * firm;
        tally.number(got.inverse_mass, 1.0 / mass, 1.0 / mass);
        tally.vector(
            got.centre,
            origin(b).as_dvec3() + centre,
            1.0 + centre.length(),
        );
        let mut change = [DVec3::ZERO; 2];
        let mut impact = 0;
        let weight = f64::from(sum.contact.w);
        let across = sum.normal.truncate().as_dvec3();
        if weight > 0.0 && across.length() > 0.5 * weight {
            let at_place = Impact {
                place: sum.contact.truncate().as_dvec3() / weight,
                normal: across.normalize(),
                restitution: f64::from(body.restitution),
                friction: f64::from(body.friction),
            };
            let surface = sum.surface.truncate().as_dvec3() / weight;
            let approach = -(at(&moving.motion(), at_place.place) - surface).dot(at_place.normal);
            if approach > f64::from(sim.restitution_speed) {
                if count > 1.0 && approach > stiff {
                    impact = IMPACT_SOLIDS;
                } else {
                    let j = impulse([&moving, &Whole::held(surface)], &at_place, [1.0, 0.0]);
                    let six = moving.given(at_place.place, j);
                    change = [at(&six, centre), halves(&six)[1]];
                    let touch = &listed[each * b];
                    tally.vector(touch.impulse, j, 2.0 * scale * mass);
                    tally.number(
                        touch.normal_impulse,
                        j.dot(at_place.normal),
                        2.0 * scale * mass,
                    );
                    let place = origin(b).as_dvec3() + at_place.place;
                    tally.vector(touch.place, place, 1.0 + place.length() + 2.0 * size);
                    tally.holds(touch.other == TOUCH_SOLID | most.1 && touch.body == b as u32);
                }
            }
        }
        tally.holds(after[b].impact == impact);
        tally.vector(kick.velocity, change[0], 2.0 * scale);
        tally.vector(kick.spin, change[1], 2.0 * scale * firm.sqrt());
        tally.vector(
            got.velocity,
            at(&moving.motion(), centre) + change[0],
            2.0 * scale,
        );
        tally.vector(got.spin, spin + change[1], 2.0 * scale * firm.sqrt());
        if change[0] != DVec3::ZERO {
            tally.holds(kick.bounces == 1.0 && kick.centre == got.centre && kick.touches == 1);
        }
    }
    Ok(())
}

/// A motion of some point masses, as a kernel would have it.
fn motion(masses: &[Mass], random: &mut Random) -> BounceMotion {
    let mass: f64 = masses.iter().map(|(m, ..)| m).sum();
    let centre = masses.iter().map(|(m, x, _)| *m * *x).sum::<DVec3>() / mass;
    let velocity = masses.iter().map(|(m, _, v)| *m * *v).sum::<DVec3>() / mass;
    let mut inertia = DMat3::ZERO;
    let mut spin = DVec3::ZERO;
    for (m, x, v) in masses {
        let r = *x - centre;
        spin += *m * r.cross(*v);
        inertia += *m
            * (DMat3::from_diagonal(DVec3::splat(r.length_squared()))
                - DMat3::from_cols(r * r.x, r * r.y, r * r.z));
    }
    let inverse = inertia.inverse();
    let w = inverse.as_mat3();
    BounceMotion {
        centre: centre.as_vec3(),
        inverse_mass: (1.0 / mass) as f32,
        velocity: velocity.as_vec3(),
        stiff_speed: random.between(0.5, 6.0) as f32,
        spin: (inverse * spin).as_vec3(),
        inverse_inertia: Vec3::new(w.x_axis.x, w.y_axis.y, w.z_axis.z),
        inverse_inertia_off: Vec3::new(w.y_axis.z, w.z_axis.x, w.x_axis.y),
        radius: random.between(-0.1, 0.1).max(0.0) as f32,
        ..BounceMotion::default()
    }
}

/// Bodies that meet: their point masses about where the case's particles are, and contacts between them.
struct Meetings {
    motions: Vec<BounceMotion>,
    masses: Vec<Vec<Mass>>,
    contacts: Vec<Contact>,
    record_first: Vec<u32>,
    edges: Vec<Edge>,
    bodies: Vec<u32>,
}

impl Meetings {
    fn random(bench: &Bench<'_>, random: &mut Random) -> Result<Self> {
        let case = bench.case;
        let points = bench.buffers.points.read(bench.context)?;
        let bodies: Vec<u32> = points
            .iter()
            .take(bench.len())
            .map(|point| point.body)
            .collect();
        let ranges: Vec<_> = case
            .model
            .bodies
            .iter()
            .map(|body| body.particles.clone())
            .collect();
        let some = |_: &_| -> Vec<Mass> {
            (0..5)
                .map(|_| {
                    (
                        random.between(0.5, 2.0),
                        random.vector(1.0),
                        random.vector(2.0),
                    )
                })
                .collect()
        };
        let masses: Vec<Vec<Mass>> = ranges.iter().map(some).collect();
        let mut motions = Vec::new();
        for (b, own) in masses.iter().enumerate() {
            let mut motion = BounceMotion {
                first: ranges[b].start as u32,
                end: ranges[b].end as u32,
                meets: u32::from(b % 5 != 4),
                impact: if b % 3 == 1 { IMPACT_BODIES } else { 0 },
                ..motion(own, random)
            };
            if b % 4 == 2 {
                motion.inverse_mass = 0.0;
                (motion.inverse_inertia, motion.inverse_inertia_off) = (Vec3::ZERO, Vec3::ZERO);
            }
            motions.push(motion);
        }
        let mut edges = Vec::new();
        for range in ranges.iter().filter(|range| range.len() > 1) {
            for i in range.start..range.end - 1 {
                if random.index(0, 3) == 0 {
                    let other = random.index(i + 1, range.end) as u32;
                    edges.push(Edge {
                        ends: UVec2::new(i as u32, other),
                        ..Edge::default()
                    });
                }
            }
        }
        let (mut contacts, mut record_first) = (Vec::new(), Vec::new());
        for feature in 0..bench.len() + edges.len() {
            record_first.push(contacts.len() as u32);
            let edge = feature.checked_sub(bench.len()).map(|e| edges[e].ends);
            let own = edge.map_or(feature as u32, |ends| ends.x);
            for (other, range) in ranges.iter().enumerate() {
                if range.len() < 3 || random.index(0, 2) == 0 {
                    continue;
                }
                let share = random.between(0.1, 0.9) as f32;
                let [a, b, c] = random.distinct::<3>(range.start, range.end);
                let lost = random.index(0, 6) == 0;
                contacts.push(Contact {
                    normal: random.vector(1.0).normalize().as_vec3(),
                    gap: random.between(-0.03, 0.01) as f32,
                    particles: if lost {
                        UVec4::splat(NONE)
                    } else {
                        UVec4::new(own, a, b, c)
                    },
                    weights: Vec4::new(1.0 - edge.map_or(0.0, |_| share), -0.5, -0.3, -0.2),
                    second: edge.map_or(NONE, |ends| ends.y),
                    second_weight: edge.map_or(0.0, |_| share),
                    restitution: random.between(-0.3, 1.0) as f32,
                    friction: random.between(0.0, 0.8) as f32,
                    feature: feature as u32,
                    body: other as u32,
                    ..Contact::default()
                });
            }
        }
        record_first.push(contacts.len() as u32);
        // One law for each pair of bodies, and one direction, more or less.
        for contact in contacts
            .iter_mut()
            .filter(|contact| contact.particles.x != NONE)
        {
            let [own, other] = [bodies[contact.particles.x as usize], contact.body];
            let pair = u64::from(own.min(other) * 16 + own.max(other));
            let mut law = Random::new(900 + pair);
            contact.restitution = law.between(-0.3, 1.0) as f32;
            contact.friction = law.between(0.0, 0.8) as f32;
            let side = if own <= other { 1.0 } else { -1.0 };
            let towards = side * law.vector(1.0).normalize() + 0.3 * contact.normal.as_dvec3();
            contact.normal = towards.normalize().as_vec3();
        }
        Ok(Self {
            motions,
            masses,
            contacts,
            record_first,
            edges,
            bodies,
        })
    }

    /// The impact of two bodies by all contacts between them, and how both move, seen from there; none where they do not
    /// meet. With it how fast they approach, and a scale of their speeds.
    fn meeting(
        &self,
        bench: &Bench<'_>,
        [low, high]: [usize; 2],
    ) -> Option<(Impact, [Whole; 2], [f64; 2])> {
        let case = bench.case;
        let (h, steps) = (f64::from(case.sim.step), f64::from(case.sim.bounce_steps));
        let velocity = |i: u32| case.particles[i as usize].velocity.as_dvec3();
        let position = |i: u32| case.particles[i as usize].position.as_dvec3();
        let goes_on = [low, high].iter().any(|b| self.motions[*b].impact != 0);
        let (mut weight, mut place, mut normal) = (0.0, DVec3::ZERO, DVec3::ZERO);
        let mut sides = [DVec3::ZERO; 2];
        let mut law = (-1.0, 0.0);
        for contact in self
            .contacts
            .iter()
            .filter(|contact| contact.particles.x != NONE)
        {
            let own = self.bodies[contact.particles.x as usize] as usize;
            let other = contact.body as usize;
            if [own.min(other), own.max(other)] != [low, high] {
                continue;
            }
            let [a, b, c, d] = contact.particles.to_array();
            let t = f64::from(contact.second_weight);
            let second = if contact.second == NONE {
                a
            } else {
                contact.second
            };
            let mut x = position(a) + t * (position(second) - position(a));
            if contact.second == NONE {
                x -= f64::from(self.motions[own].radius) * contact.normal.as_dvec3();
            }
            let v = f64::from(contact.weights.x) * velocity(a) + t * velocity(second);
            let corners = [b, c, d].into_iter().zip([0.5, 0.3, 0.2]);
            let on = corners
                .map(|(i, w)| f64::from(w as f32) * velocity(i))
                .sum::<DVec3>();
            let n = contact.normal.as_dvec3();
            let approach = -(v - on).dot(n);
            let gap = -f64::from(contact.gap);
            let w = match goes_on {
                true if gap < f64::from(MARGIN) + steps * h * approach.max(0.0) => 1.0,
                false if steps * h * approach > gap.max(0.0) => approach,
                _ => continue,
            };
            weight += w;
            place += w * x;
            let (side, of) = if own == low { (1.0, 0) } else { (-1.0, 1) };
            normal += w * side * n;
            sides[of] += w * v;
            sides[1 - of] += w * on;
            law = (f64::from(contact.restitution), f64::from(contact.friction));
        }
        if weight == 0.0 || normal.length() < 0.5 * weight {
            return None;
        }
        let impact = Impact {
            place: DVec3::ZERO,
            normal: normal.normalize(),
            restitution: law.0,
            friction: law.1,
        };
        let place = place / weight;
        let seen = |k: usize, b: usize| {
            if self.motions[b].inverse_mass == 0.0 {
                return Whole::held(sides[k] / weight);
            }
            let own: Vec<Mass> = self.masses[b]
                .iter()
                .map(|(m, x, v)| (*m, *x - place, *v))
                .collect();
            Whole::of(&own)
        };
        let both = [seen(0, low), seen(1, high)];
        let [u, w] = [0, 1].map(|k| at(&both[k].motion(), DVec3::ZERO));
        let closing = -(u - w).dot(impact.normal);
        let free = both.iter().any(|body| body.mass.is_some());
        let acts = free && impact.restitution >= 0.0;
        let scale = 10.0 * (1.0 + u.length() + w.length());
        Some((
            impact,
            both,
            [if acts { closing.max(0.0) } else { 0.0 }, scale],
        ))
    }

    /// In how many impacts each body bounces, and how many are too fast.
    fn counts(&self, bench: &Bench<'_>) -> Vec<[u32; 2]> {
        let mut counts = vec![[0; 2]; self.motions.len()];
        self.each(bench, |[low, high], _, _, [approach, _]| {
            let stiff = self.motions[low]
                .stiff_speed
                .min(self.motions[high].stiff_speed);
            for b in [low, high] {
                counts[b][usize::from(approach > f64::from(stiff))] += 1;
            }
        });
        counts
    }

    /// Every impact that is fast enough to bounce.
    fn each(
        &self,
        bench: &Bench<'_>,
        mut act: impl FnMut([usize; 2], &Impact, &[Whole; 2], [f64; 2]),
    ) {
        let bodies = self.motions.len();
        for low in 0..bodies {
            for high in low + 1..bodies {
                if self.motions[low].meets == 0 || self.motions[high].meets == 0 {
                    continue;
                }
                if let Some((impact, both, speeds)) = self.meeting(bench, [low, high])
                    && speeds[0] > f64::from(bench.case.sim.restitution_speed)
                {
                    act([low, high], &impact, &both, speeds);
                }
            }
        }
    }

    /// Runs a kernel over the bodies.
    fn run(
        &self,
        kernel: &Kernel,
        bench: &Bench<'_>,
        motions: &Buffer<BounceMotion>,
        touches: &Buffer<TouchSum>,
        changes: &Buffer<BounceChange>,
        bodies: &Buffer<Body>,
    ) -> Result<()> {
        let context = bench.context;
        let collide = uniform(
            context,
            Collide {
                capacity: self.contacts.len() as u32,
                edge_count: self.edges.len() as u32,
                feature_count: self.record_first.len() as u32 - 1,
                margin: MARGIN,
                ..Collide::default()
            },
        );
        let contacts = Buffer::new(context, "contacts", &self.contacts)?;
        let first = Buffer::new(context, "record_first", &self.record_first)?;
        let edges = Buffer::new(context, "edges", &self.edges)?;
        let others = [
            collide.bind("collide"),
            contacts.bind("contacts"),
            first.bind("record_first"),
            edges.bind("edges"),
            motions.bind("bounce_motions"),
            touches.bind("bounce_touches"),
            changes.bind("bounce_changes"),
            bodies.bind("bodies"),
        ];
        let sim = Sim {
            body_count: self.motions.len() as u32,
            ..bench.case.sim
        };
        bench.write(&bench.case.particles, &bench.case.particles);
        bench.run(kernel, sim, self.motions.len(), &others);
        Ok(())
    }
}

/// δ of the meetings \[m\].
const MARGIN: f32 = 0.004;

/// How many impacts with others each body takes part in.
pub fn count(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let meetings = Meetings::random(bench, &mut Random::new(123))?;
    let bodies = meetings.motions.len();
    let motions = Buffer::new(bench.context, "bounce_motions", &meetings.motions)?;
    let touches = Buffer::zeroed(bench.context, "bounce_touches", bodies)?;
    let changes = Buffer::zeroed(bench.context, "bounce_changes", bodies)?;
    let (materials, unused) = (&bench.buffers.bodies, &touches);
    meetings.run(kernel, bench, &motions, unused, &changes, materials)?;
    tally.case();
    let got = motions.read(bench.context)?;
    let got: Vec<u32> = got[..bodies]
        .iter()
        .flat_map(|motion| [motion.bounces, motion.fast])
        .collect();
    tally.words(&got, &meetings.counts(bench).concat());
    Ok(())
}

/// What these impacts change of each body's motion.
pub fn pairs(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let mut random = Random::new(124);
    let mut meetings = Meetings::random(bench, &mut random)?;
    let counts = meetings.counts(bench);
    for (motion, [bounces, fast]) in meetings.motions.iter_mut().zip(&counts) {
        (motion.bounces, motion.fast) = (*bounces, *fast);
    }
    let given: Vec<_> = meetings
        .motions
        .iter()
        .map(|motion| BounceChange {
            velocity: random.vector(1.0).as_vec3(),
            spin: random.vector(1.0).as_vec3(),
            centre: motion.centre,
            touches: 1,
            ..BounceChange::default()
        })
        .collect();
    let each = BOUNCE_TOUCHES as usize;
    let motions = Buffer::new(bench.context, "bounce_motions", &meetings.motions)?;
    let touches = Buffer::zeroed(bench.context, "bounce_touches", each * given.len())?;
    let changes = Buffer::new(bench.context, "bounce_changes", &given)?;
    let mut before = bench.buffers.bodies.read(bench.context)?;
    before
        .iter_mut()
        .for_each(|body| body.impact = IMPACT_SOLIDS);
    let bodies = Buffer::new(bench.context, "bodies", &before)?;
    meetings.run(kernel, bench, &motions, &touches, &changes, &bodies)?;
    tally.case();
    let mut wanted: Vec<_> = given
        .iter()
        .map(|change| [change.velocity.as_dvec3(), change.spin.as_dvec3()])
        .collect();
    let mut scales = vec![1.0; given.len()];
    let mut told: Vec<Vec<(usize, DVec3, f64)>> = vec![Vec::new(); given.len()];
    meetings.each(bench, |pair, impact, both, [approach, scale]| {
        let stiff = pair.map(|b| f64::from(meetings.motions[b].stiff_speed));
        if approach > stiff[0].min(stiff[1]) {
            return;
        }
        let j = impulse(
            [&both[0], &both[1]],
            impact,
            pair.map(|b| f64::from(counts[b][0])),
        );
        let teller = usize::from(both[0].mass.is_none());
        let side = if teller == 0 { 1.0 } else { -1.0 };
        told[pair[teller]].push((pair[1 - teller], side * j, scale));
        for (k, (b, side)) in pair.into_iter().zip([1.0, -1.0]).enumerate() {
            if both[k].mass.is_none() {
                continue;
            }
            // Motions are seen from where the bodies meet.
            let six = both[k].given(DVec3::ZERO, side * j);
            wanted[b][0] += at(&six, centre(&both[k]));
            wanted[b][1] += halves(&six)[1];
            scales[b] += 20.0 * scale;
        }
    });
    let (after, listed) = (bodies.read(bench.context)?, touches.read(bench.context)?);
    for (b, got) in changes
        .read(bench.context)?
        .iter()
        .take(given.len())
        .enumerate()
    {
        let room = each - 1;
        tally.holds(got.touches as usize == 1 + told[b].len().min(room));
        told[b].sort_by_key(|(other, ..)| *other);
        for (k, (other, j, scale)) in told[b].iter().enumerate().take(room) {
            let touch = &listed[each * b + 1 + k];
            tally.holds(touch.other as usize == *other && touch.body as usize == b);
            tally.vector(touch.impulse, *j, 50.0 * scale);
            tally.holds(touch.normal_impulse > 0.0 && touch.impulse.dot(touch.normal) > 0.0);
        }
        let held = meetings.motions[b].inverse_mass == 0.0;
        let fast = counts[b][1] > 0 && !held;
        tally.holds(after[b].impact == IMPACT_SOLIDS | if fast { IMPACT_BODIES } else { 0 });
        let bounces = counts[b][0] > 0 && !held;
        tally.holds(got.bounces == f32::from(u8::from(bounces)));
        tally.vector(got.velocity, wanted[b][0], scales[b]);
        tally.vector(got.spin, wanted[b][1], 4.0 * scales[b]);
    }
    Ok(())
}

/// The centre of a body from where it is seen: Σ m r in its mass matrix over Σ m.
fn centre(body: &Whole) -> DVec3 {
    let mass = body.mass.expect("it is free");
    DVec3::new(mass[1][5], mass[2][3], mass[0][4]) / mass[0][0]
}

/// Every particle of a body that bounces moves with it, and so does its velocity at half steps.
pub fn moves(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (context, inputs) = (bench.context, &bench.case.particles);
    let mut random = Random::new(125);
    let changes: Vec<_> = (0..bench.case.bodies.len())
        .map(|b| BounceChange {
            velocity: random.vector(2.0).as_vec3(),
            bounces: (b % 2) as f32,
            spin: random.vector(3.0).as_vec3(),
            centre: random.vector(1.0).as_vec3(),
            ..BounceChange::default()
        })
        .collect();
    // Of one particle nothing tells the array of none from that of all.
    for beside in [true, false]
        .into_iter()
        .filter(|beside| *beside || bench.len() > 1)
    {
        let halves: Vec<Vec4> = (0..bench.len())
            .map(|_| random.vector(1.0).as_vec3().extend(0.5))
            .collect();
        let given = if beside { &halves[..] } else { &[] };
        let half_velocity = Buffer::new(context, "half_velocity", given)?;
        let change_buffer = Buffer::new(context, "bounce_changes", &changes)?;
        let others = [
            half_velocity.bind("half_velocity"),
            change_buffer.bind("bounce_changes"),
        ];
        bench.write(inputs, inputs);
        bench.run(kernel, bench.case.sim, bench.len(), &others);
        tally.case();
        let points = bench.buffers.points.read(context)?;
        let kept = half_velocity.read(context)?;
        for (i, got) in bench.written()?.iter().enumerate().take(bench.len()) {
            let (p, change) = (&inputs[i], &changes[points[i].body as usize]);
            let [velocity, spin, centre] =
                [change.velocity, change.spin, change.centre].map(|v| v.as_dvec3());
            let r = p.position.as_dvec3() - centre;
            let bounces = change.bounces > 0.0 && p.inverse_mass > 0.0;
            let kick = if bounces {
                velocity + spin.cross(r)
            } else {
                DVec3::ZERO
            };
            let reach = p.position.as_dvec3().length() + centre.length();
            let scale =
                p.velocity.as_dvec3().length() + velocity.length() + 2.0 * spin.length() * reach;
            tally.vector(got.velocity, p.velocity.as_dvec3() + kick, scale);
            tally.holds(got.position == p.position && got.inverse_mass == p.inverse_mass);
            if beside {
                let half = halves[i].truncate().as_dvec3();
                tally.vector(kept[i].truncate(), half + kick, scale + half.length());
                tally.holds(kept[i].w == 0.5);
            }
        }
    }
    Ok(())
}
