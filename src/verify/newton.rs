//! The passes of Newton's method, beside its matrix.

use glam::{DMat3, DVec3, Vec3, Vec4};

use super::states::{contact_blocks, shifted};
use super::trial::{Arrays, Written};
use super::{Bench, ErrorStats, Oracle, Random};
use crate::Result;
use crate::family;
use crate::gpu::types::{
    Block, CHUNK, Conjugate, ContactBlock, IMPLICIT_STEP, NEWTON_ROUNDING, Newton, Particle, Sim,
    WORKGROUP,
};
use crate::reference::force::{damping_forces, elastic_forces, whole};

pub const CHECKS: super::Checks = &[
    ("newton_springs", super::Check::Trial(springs)),
    ("newton_test", super::Check::Trial(test)),
    ("newton_residual", super::Check::Trial(residual)),
    ("newton_factor", super::Check::Trial(factor)),
    ("newton_sum", super::Check::Trial(sum)),
    ("newton_update", super::Check::Trial(update)),
    ("newton_move", super::Check::Trial(moves)),
];

/// Accelerations by springs, volumes and areas with the whole of their damping; those of other particles stay.
fn springs(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let sim = Sim { implicit: IMPLICIT_STEP, ..bench.case.sim };
    let oracle = bench.oracle_of(&sim);
    let (system, x) = (&oracle.system, &oracle.system.position);
    let all = whole(system);
    let elastic = elastic_forces(system, x);
    let damping = damping_forces(system, x, &system.velocity, &all);
    let scales = oracle.elastic_scale(x);
    let damping_scales = oracle.damping_scale(x, &system.velocity, &all);
    let untouched = Vec4::splat(-7.0);
    let loads = vec![untouched; bench.len()];
    let after = bench.run_each(&[("loads", &loads)])?;
    for (i, got) in after.get::<Vec4>("loads").iter().enumerate() {
        if bench.case.bodies[system.body[i]].loaded != family::springs::LOADED {
            errors.holds(*got == untouched);
            continue;
        }
        let w = system.inverse_mass[i];
        let want = w * (elastic[i] + damping[i]);
        errors.vector(got.truncate(), want, w * (scales[i] + damping_scales[i]));
    }
    Ok(())
}

/// An iterate and what the equation is made of.
struct Equation {
    base: Vec<Particle>,
    loads: Vec<Vec4>,
    contact_blocks: Vec<ContactBlock>,
    conjugates: Vec<Conjugate>,
}

impl Equation {
    fn new(bench: &Bench<'_>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let count = bench.len();
        Self {
            base: shifted(&bench.case.particles, seed),
            loads: random.fields(count, 20.0, 0.0),
            contact_blocks: contact_blocks(&mut random, count),
            conjugates: (0..count)
                .map(|_| Conjugate {
                    residual: random.vector(10.0).as_vec3(),
                    change: random.vector(0.01).as_vec3(),
                    search: random.vector(0.01).as_vec3(),
                    image: random.vector(10.0).as_vec3(),
                })
                .collect(),
        }
    }

    /// What is left of particle i's equation [N], and its scale.
    fn imbalance(&self, i: usize, oracle: &Oracle<'_>) -> (DVec3, f64) {
        let (left, size) = oracle.left(i, self.base[i].velocity.as_dvec3());
        let load = oracle.system.mass(i) * self.loads[i].truncate().as_dvec3();
        let press = self.contact_blocks[i].force.as_dvec3();
        (left / oracle.h + load + press, size / oracle.h + load.length() + press.length())
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Written> {
        bench.run_each(&[
            ("base", &self.base),
            ("loads", &self.loads),
            ("contact_blocks", &self.contact_blocks),
            ("conjugates", &self.conjugates),
            ("products", &vec![Vec4::NAN; bench.len()]),
        ])
    }
}

/// r·d of each particle.
fn test(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (equation, oracle) = (Equation::new(bench, 121), bench.oracle());
    let after = equation.run(bench)?;
    for (i, got) in after.get::<Vec4>("products").iter().enumerate() {
        if oracle.system.pinned(i) {
            errors.holds(*got == Vec4::ZERO);
            continue;
        }
        let (left, scale) = equation.imbalance(i, &oracle);
        let d = equation.conjugates[i].change.as_dvec3();
        errors.number(got.w, left.dot(d), scale * d.length());
    }
    Ok(())
}

/// r, and the parts of its sums.
fn residual(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (equation, oracle) = (Equation::new(bench, 122), bench.oracle());
    let after = equation.run(bench)?;
    let conjugates: Vec<Conjugate> = after.get("conjugates");
    let (system, h) = (&oracle.system, oracle.h);
    for (i, got) in after.get::<Vec4>("products").iter().enumerate() {
        let conjugate = &conjugates[i];
        if system.pinned(i) {
            errors.holds(*got == Vec4::ZERO && *conjugate == Conjugate::default());
            continue;
        }
        let w = system.inverse_mass[i];
        let (left, scale) = equation.imbalance(i, &oracle);
        errors.vector(conjugate.residual, left, scale);
        errors.kept(conjugate, &Conjugate::default(), |c, got| {
            c.residual = got.residual;
        });
        errors.number(got.w, left.length_squared() * w, scale * scale * w);
        let (v, start) = (system.velocity[i], equation.base[i].velocity.as_dvec3());
        let gravity = system.gravity.length_squared();
        let size = ((start.length() + v.length()) / h).powi(2);
        let acting = (start - v).length_squared() / (h * h) + gravity;
        errors.number(got.x, acting / w, (size + gravity) / w);
        let far = system.position[i].abs().max_element() * f64::from(NEWTON_ROUNDING);
        let rounding = (far * f64::from(equation.contact_blocks[i].stiffness)).powi(2) * w;
        errors.number(got.y, rounding, rounding);
    }
    Ok(())
}

/// Blocks that are far from singular, and residuals.
fn blocks(random: &mut Random, count: usize) -> Vec<Block> {
    let block = |_| Block {
        diagonal: random.vector(100.0).as_vec3() + Vec3::splat(500.0),
        off: random.vector(100.0).as_vec3(),
    };
    (0..count).map(block).collect()
}

/// The pivots by their products, which are the minors of the block, and the residual over the block.
fn factor(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let equation = Equation::new(bench, 123);
    let given = blocks(&mut Random::new(124), bench.len());
    let after = bench.run_each(&[
        ("conjugates", &equation.conjugates),
        ("contact_blocks", &equation.contact_blocks),
        ("blocks", &given),
        ("directions", &vec![Particle::default(); bench.len()]),
    ])?;
    let (factors, pressed): (Vec<Block>, Vec<ContactBlock>) =
        (after.get("blocks"), after.get("contact_blocks"));
    let directions: Vec<Particle> = after.get("directions");
    let oracle = bench.oracle();
    for (i, p) in bench.case.particles.iter().enumerate() {
        errors.holds(directions[i].position == p.position);
        errors.holds(directions[i].inverse_mass == p.inverse_mass);
        if p.inverse_mass == 0.0 {
            errors.holds(directions[i].velocity == Vec3::ZERO);
            continue;
        }
        let own = given[i].matrix() + DMat3::IDENTITY * oracle.inertia(i);
        let press = &equation.contact_blocks[i];
        let whole = own + press.matrix();
        let [x, y, z] = [0, 1, 2].map(|k| whole.col(k));
        let minors = [x.x, x.x * y.y - x.y * y.x, x.dot(y.cross(z))];
        let pivots = factors[i].diagonal.as_dvec3();
        let products = [pivots.x, pivots.x * pivots.y, pivots.x * pivots.y * pivots.z];
        let size = x.x.max(y.y).max(z.z);
        for (k, (got, want)) in products.into_iter().zip(minors).enumerate() {
            errors.number((got / want) as f32, 1.0, size.powi(k as i32 + 1) / want);
        }
        let r = equation.conjugates[i].residual.as_dvec3();
        let want = whole.inverse() * r;
        let scale = r.length() * size * size / whole.determinant() * size;
        errors.vector(directions[i].velocity, want, scale);
        errors.number(directions[i].damping_rate, want.dot(r), scale * r.length());
        let mean = own.diagonal().element_sum() / 3.0;
        errors.number(pressed[i].stiffness, mean, mean);
    }
    Ok(())
}

/// Sums over the chunks of rows.
fn sum(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(125);
    // Behind the particles two rows for each of some poses.
    let count = bench.len() + 2 * (bench.len() % 40);
    let mut directions = bench.case.particles.clone();
    directions.resize_with(count, || Particle {
        damping_rate: random.between(-3.0, 3.0) as f32,
        ..Particle::default()
    });
    let products: Vec<_> = (0..count)
        .map(|_| random.vector(3.0).as_vec3().extend(random.between(-5.0, 5.0) as f32))
        .collect();
    let chunks = count.div_ceil(CHUNK as usize);
    let arrays: &Arrays<'_> = &[
        ("directions", &directions),
        ("products", &products),
        ("sums", &vec![Vec4::ZERO; chunks]),
    ];
    let sim = Sim { unknown_count: count as u32, ..bench.case.sim };
    let after = bench.run(sim, chunks * WORKGROUP as usize, arrays)?;
    for (k, got) in after.get::<Vec4>("sums").iter().enumerate() {
        let range = k * CHUNK as usize..count.min((k + 1) * CHUNK as usize);
        let terms = range.map(|i| {
            let [x, y, _, w] = products[i].to_array();
            [directions[i].damping_rate, w, x, y].map(f64::from)
        });
        let (mut want, mut scale) = ([0.0; 4], [0.0; 4]);
        for term in terms {
            for c in 0..4 {
                want[c] += term[c];
                scale[c] += term[c].abs();
            }
        }
        (0..4).for_each(|c| errors.number(got[c], want[c], scale[c]));
    }
    Ok(())
}

/// One iteration of conjugate gradients.
fn update(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(126);
    let equation = Equation::new(bench, 127);
    let count = bench.len();
    let newton = Newton { alpha: 0.7, beta: 0.4, ..Newton::default() };
    // Diagonal, so that pivots are what they are in any order.
    let diagonals: Vec<_> = (0..count)
        .map(|_| Block {
            diagonal: random.vector(100.0).as_vec3() + Vec3::splat(300.0),
            ..Block::default()
        })
        .collect();
    let before: Vec<_> = bench.case.particles.clone();
    let images = random.fields(count, 10.0, 1.0);
    let after = bench.run_each(&[
        ("newton", &[newton]),
        ("conjugates", &equation.conjugates),
        ("directions", &before),
        ("products", &images),
        ("blocks", &diagonals),
    ])?;
    let got: Vec<Conjugate> = after.get("conjugates");
    let directions: Vec<Particle> = after.get("directions");
    let (alpha, beta) = (f64::from(newton.alpha), f64::from(newton.beta));
    for (i, p) in before.iter().enumerate() {
        let old = &equation.conjugates[i];
        if p.inverse_mass == 0.0 {
            errors.holds(got[i] == *old && directions[i] == *p);
            continue;
        }
        let [r, d, s, image] =
            [old.residual, old.change, old.search, old.image].map(|v| v.as_dvec3());
        let z = p.velocity.as_dvec3();
        let hz = images[i].truncate().as_dvec3();
        let search = z + beta * s;
        let next = hz + beta * image;
        let left = r - alpha * next;
        let size = r.length() + alpha * (hz.length() + image.length());
        let far = d.length() + alpha * (z.length() + s.length());
        errors.vector(got[i].search, search, z.length() + s.length());
        errors.vector(got[i].image, next, hz.length() + image.length());
        errors.vector(got[i].change, d + alpha * search, far);
        errors.vector(got[i].residual, left, size);
        let over = left / diagonals[i].diagonal.as_dvec3();
        errors.vector(directions[i].velocity, over, size / 200.0);
        errors.number(directions[i].damping_rate, left.dot(over), size * size / 200.0);
    }
    Ok(())
}

/// The iterate after a share of the change, and where it leads from the step's start.
fn moves(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let equation = Equation::new(bench, 128);
    for share in [1.0, -0.3_f32] {
        let newton = Newton { share, ..Newton::default() };
        let after = bench.run_each(&[
            ("newton", &[newton]),
            ("conjugates", &equation.conjugates),
            ("base", &equation.base),
        ])?;
        let h = f64::from(bench.case.sim.step);
        for (i, got) in after.particles().iter().enumerate() {
            let p = &bench.case.particles[i];
            if p.inverse_mass == 0.0 {
                errors.holds(got == p);
                continue;
            }
            let d = equation.conjugates[i].change.as_dvec3() * f64::from(share) / h;
            let v = p.velocity.as_dvec3() + d;
            let start = equation.base[i].position.as_dvec3();
            let size = p.velocity.as_dvec3().length() + d.length();
            errors.vector(got.velocity, v, size);
            errors.vector(got.position, start + h * v, start.length() + h * size);
        }
    }
    Ok(())
}
