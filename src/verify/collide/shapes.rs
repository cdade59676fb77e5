//! Bodies that touch each other, at the places where contact has to decide something.

use std::collections::BTreeSet;
use std::f64::consts::TAU;
use std::ops::Range;

use glam::{DQuat, DVec3};

use crate::gpu::Content;
use crate::gpu::types::{Body, Externals, MAX_SOLIDS, PULL_ROOM, Particle, Pull, Sim, Solid};
use crate::mesh::TetMesh;
use crate::mesh::topology::{edges, surface_triangles};
use crate::model::{BodyRanges, Model, Spring, Tet};
use crate::reference::tets;
use crate::setup::MARGIN;
use crate::verify::{Case, Random};

/// Points and tetrahedra of one body.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Where its points are, deformed or not.
    pub points: Vec<DVec3>,
    /// Where they are at rest; none of those without tetrahedra.
    pub rest: Vec<DVec3>,
    /// Corners, positively oriented at rest.
    pub tets: Vec<[u32; 4]>,
    /// Triangles of a shell, which has no tetrahedra.
    pub shell: Vec<[u32; 3]>,
    /// Mean edge at rest [m].
    pub edge: f64,
    /// Of spheres [m]; 0 with tetrahedra.
    pub radius: f64,
}

impl Shape {
    fn new(mesh: TetMesh) -> Self {
        let edge = mesh.mean_edge();
        let (rest, points, tets) = (mesh.points.clone(), mesh.points, mesh.tets);
        Self { rest, points, tets, edge, ..Self::default() }
    }

    /// A block of equal cells about the origin, five tetrahedra in each.
    pub fn block(cells: [u32; 3], size: DVec3) -> Self {
        Self::new(TetMesh::lattice(cells, size).expect("cells of a size"))
    }

    /// A cube about the origin.
    pub fn cube(cells: u32, size: f64) -> Self {
        Self::block([cells; 3], DVec3::splat(size))
    }

    /// One tetrahedron about the origin.
    pub fn tet(size: f64) -> Self {
        let corners = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]];
        let points = corners.map(|c| 0.5 * size * DVec3::from_array(c.map(f64::from)));
        Self::new(TetMesh::new(points.to_vec(), vec![[0, 1, 2, 3]]).expect("it is not flat"))
    }

    /// So many points without tetrahedra.
    pub fn dust(count: usize) -> Self {
        let points = (0..count).map(|k| DVec3::X * 0.1 * k as f64).collect();
        Self { points, edge: 0.1, ..Self::default() }
    }

    /// Spheres in a cube about the origin.
    pub fn cloud(count: usize, size: f64, radius: f64, random: &mut Random) -> Self {
        let points = (0..count).map(|_| 0.5 * size * random.vector(1.0));
        Self { points: points.collect(), edge: 2.0 * radius, radius, ..Self::default() }
    }

    /// A square sheet of spheres about the origin, one triangle thick.
    pub fn sheet(cells: u32, size: f64, radius: f64) -> Self {
        let place = |k: u32| size * (f64::from(k) / f64::from(cells) - 0.5);
        let row = cells + 1;
        let points = (0..row * row).map(|k| DVec3::new(place(k % row), 0.0, place(k / row)));
        let corners = (0..cells * cells).map(|k| k / cells * row + k % cells);
        let shell = corners.flat_map(|k| [[k, k + row, k + 1], [k + 1, k + row, k + row + 1]]);
        Self {
            points: points.collect(),
            shell: shell.collect(),
            edge: size / f64::from(cells),
            radius,
            ..Self::default()
        }
    }

    /// Something round with bumps and dents: the cells of a block whose middles are inside of it, their points off the
    /// lattice.
    pub fn blob(random: &mut Random) -> Self {
        let block =
            TetMesh::lattice([6, 5, 5], DVec3::new(1.2, 1.0, 1.0)).expect("cells of a size");
        let bumps = random.vector(3.0);
        let inside = |tet: &&[u32; 4]| {
            let middle = tet.iter().map(|c| block.points[*c as usize]).sum::<DVec3>() / 4.0;
            let wave = (5.0 * middle + bumps).to_array().map(f64::sin);
            middle.length() < 0.45 + 0.1 * wave.iter().sum::<f64>()
        };
        let tets = block.tets.iter().filter(inside).copied().collect();
        let jittered = block.points.iter().map(|x| *x + random.vector(0.03));
        Self::new(TetMesh::new(jittered.collect(), tets).expect("some cells are left"))
    }

    /// A bar that is bent until its end is in its beginning.
    pub fn curl() -> Self {
        let bar = Self::block([40, 2, 2], DVec3::new(1.1 * TAU, 0.4, 0.4));
        bar.map(|x| {
            let (sin, cos) = x.x.sin_cos();
            let reach = 1.0 + x.y + 0.03 * x.x;
            DVec3::new(reach * sin, reach * cos, x.z + 0.01 * x.x)
        })
    }

    /// Moved point by point.
    pub fn map(mut self, moved: impl FnMut(DVec3) -> DVec3) -> Self {
        self.points = self.points.into_iter().map(moved).collect();
        self
    }

    /// Moved as a whole.
    pub fn shifted(self, by: DVec3) -> Self {
        self.map(|x| x + by)
    }

    /// Turned at random, then moved.
    pub fn posed(self, by: DVec3, random: &mut Random) -> Self {
        let axis = random.vector(1.0).normalize();
        let turn = DQuat::from_axis_angle(axis, random.between(0.0, TAU));
        self.map(|x| turn * x + by)
    }
}

/// Joins bodies to a case, with velocities and constants at random.
#[derive(Debug)]
pub struct Builder {
    case: Case,
    random: Random,
}

/// h [s]
const STEP: f32 = 1e-3;

impl Builder {
    /// No bodies yet.
    pub fn new(seed: u64) -> Self {
        let sim = Sim { step: STEP, speed_limit: 1e4, damping_stages: 1, ..Sim::default() };
        let externals = Box::new(Externals {
            solids: [Solid::default(); MAX_SOLIDS as usize],
            pulls: [Pull::default(); PULL_ROOM as usize],
        });
        let case = Case {
            content: Content::ALL,
            model: Model::default(),
            bodies: Vec::new(),
            particles: Vec::new(),
            sim,
            externals,
            loads: Vec::new(),
        };
        Self { case, random: Random::new(seed) }
    }

    /// Adds a body that touches all others.
    pub fn add(&mut self, shape: &Shape) -> &mut Body {
        let model = &self.case.model;
        let (springs, tets, triangles) =
            (model.springs.len(), model.tets.len(), model.triangles.len());
        let particles = self.add_particles(shape);
        self.add_elements(shape, particles.start as u32);
        let (model, bodies) = (&mut self.case.model, &mut self.case.bodies);
        model.bodies.push(BodyRanges {
            particles,
            springs: springs..model.springs.len(),
            tets: tets..model.tets.len(),
            triangles: triangles..model.triangles.len(),
            edge: shape.edge,
            radius: shape.radius,
            ..BodyRanges::default()
        });
        bodies.push(Body {
            friction: self.random.between(0.1, 0.9) as f32,
            margin: (MARGIN * shape.edge) as f32,
            thickness: shape.edge as f32,
            group: u32::MAX,
            mask: u32::MAX,
            edge: shape.edge as f32,
            radius: shape.radius as f32,
            ..Body::default()
        });
        bodies.last_mut().expect("one was added")
    }

    /// One in twenty is held.
    fn add_particles(&mut self, shape: &Shape) -> Range<usize> {
        let (case, random) = (&mut self.case, &mut self.random);
        let first = case.particles.len();
        for x in &shape.points {
            let held = random.between(0.0, 1.0) < 0.05;
            let (inverse_mass, velocity) = match held {
                true => (0.0, DVec3::ZERO),
                false => (random.between(0.5, 2.0) as f32, random.vector(1.0)),
            };
            case.particles.push(Particle {
                position: x.as_vec3(),
                inverse_mass,
                velocity: velocity.as_vec3(),
                damping_rate: 0.0,
            });
        }
        let rest = &mut case.model.rest_positions;
        rest.extend(&shape.rest);
        rest.resize(case.particles.len(), DVec3::ZERO);
        first..case.particles.len()
    }

    /// Springs along all edges, tetrahedra and surface triangles, between the particles from `first` on.
    fn add_elements(&mut self, shape: &Shape, first: u32) {
        let model = &mut self.case.model;
        let place = |i: u32| first + i;
        let length = |[a, b]: [u32; 2]| shape.points[a as usize].distance(shape.points[b as usize]);
        let sides =
            |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
        let of_shell: BTreeSet<_> = shape.shell.iter().flat_map(sides).collect();
        for edge in edges(&shape.tets).into_iter().chain(of_shell) {
            model.springs.push(Spring {
                points: edge.map(place),
                rest: length(edge).max(0.1 * shape.edge),
                distance: 0.0,
                damping: 0.0,
            });
        }
        for corners in &shape.tets {
            let volume = tets::volume([0, 1, 2, 3], &corners.map(|i| shape.points[i as usize]));
            model.tets.push(Tet {
                corners: corners.map(place),
                rest: volume.abs().max(1e-3 * shape.edge.powi(3)),
                volume: 0.0,
            });
        }
        let surface = surface_triangles(&shape.tets);
        let triangles = surface.iter().chain(&shape.shell);
        model.triangles.extend(triangles.map(|t| t.map(place)));
    }

    /// Gives the free points of the last body a velocity more \[m/s\].
    pub fn speed_up(&mut self, by: DVec3) {
        let last = self.case.model.bodies.last().expect("one was added");
        for particle in &mut self.case.particles[last.particles.clone()] {
            if particle.inverse_mass > 0.0 {
                particle.velocity += by.as_vec3();
            }
        }
    }

    /// The case of all bodies.
    pub fn case(mut self) -> Case {
        self.case.enter_particles();
        self.case
    }
}
