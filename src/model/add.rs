//! Adding one body to the arrays of all.

use std::sync::Arc;

use glam::{DMat3, DVec3};

use super::build::placing;
use super::coloring::coloring;
use super::order::particle_order;
use super::rest::Rest;
use super::start::{check_particle, masses, pinned, placed, radius, volume};
use super::{BodyRanges, Fields, Material, Model, Spring, Tet};
use crate::family::springs::SpringWeights;
use crate::family::{self, Deformation};
use crate::mesh::{Bounds, TetMesh};
use crate::scene::Body;
use crate::scene::defaults::Extent;
use crate::{Error, Result};

/// A body while it is added.
pub(crate) struct Part<'a> {
    pub body: &'a Body,
    pub rest: Arc<Rest>,
    /// Its mesh as large as the body.
    pub scaled: TetMesh,
    /// What turns that to where it starts.
    rotation: DMat3,
    pub fields: Fields,
    /// What its springs weigh, where they do not weigh the same.
    pub weights: Option<SpringWeights>,
    /// The mesh's points in the device's order.
    order: Vec<u32>,
    /// For each point of the mesh its place in that order.
    device_index: Vec<u32>,
    /// For each point of the mesh its colour, where vertices are solved colour by colour.
    colors: Vec<u32>,
    /// Particles of the bodies before it.
    first: usize,
}

impl<'a> Part<'a> {
    fn new(body: &'a Body, rest: Arc<Rest>, first: usize, colored: bool) -> Result<Self> {
        let (shape, rotation) = placing(body);
        let points = rest.mesh.points.iter().map(|x| shape * *x).collect();
        let scaled = if rest.mesh.tets.is_empty() {
            TetMesh { points, ..rest.mesh.clone() }
        } else {
            TetMesh::new(points, rest.mesh.tets.clone())?
        };
        let colors = match colored {
            true => coloring(&rest.mesh.points, &rest.edges),
            false => Vec::new(),
        };
        let order = particle_order(&degrees(&rest), &colors);
        let mut device_index = vec![0_u32; order.len()];
        for (device, &i) in order.iter().enumerate() {
            device_index[i as usize] = device as u32;
        }
        Ok(Self {
            body,
            weights: family::of(&body.kind).weights(&scaled, &rest),
            fields: Fields::new(body, &rest)?,
            rest,
            scaled,
            rotation,
            order,
            device_index,
            colors,
            first,
        })
    }

    /// The particle that a point of the mesh becomes.
    pub fn device(&self, i: u32) -> u32 {
        self.first as u32 + self.device_index[i as usize]
    }

    /// Distance [m] at which its points touch; 0 where its surface does.
    fn radius(&self) -> Result<f64> {
        if self.scaled.tets.is_empty() {
            return radius(self.body, &self.scaled.points);
        }
        if self.body.radius.is_some() {
            let at = format!("body \"{}\".radius", self.body.name);
            let want = "no such key: a body of tetrahedra collides with its surface";
            return Err(Error::value(at, "a radius", want));
        }
        Ok(0.0)
    }

    fn deformation(&self) -> &'a dyn Deformation {
        family::of(&self.body.kind)
    }

    /// Constants of the whole body; `volume`: of its material [m³].
    fn material(&self, volume: f64, masses: &[f64]) -> Material {
        let extent = Extent {
            sides: Bounds::of(self.scaled.points.iter().copied()).size(),
            density: masses.iter().sum::<f64>() / volume,
            spacing: (volume / masses.len() as f64).cbrt(),
        };
        self.deformation().material(self, &extent, volume)
    }
}

impl Model {
    /// Adds a body. `colored`: whether its points get colours.
    ///
    /// # Errors
    /// A mesh that is flat once it is scaled; constants, clusters, pins or masses that cannot be.
    pub(super) fn add(&mut self, body: &Body, rest: Arc<Rest>, colored: bool) -> Result<()> {
        let part = Part::new(body, rest, self.positions.len(), colored)?;
        let radius = part.radius()?;
        let volume = volume(&part.scaled, &part.rest, radius);
        let masses = masses(body, &part.scaled, &part.rest, &part.fields, radius);
        let deformation = part.deformation();
        let mut ranges = BodyRanges {
            name: body.name.clone(),
            archetype: Some(body.archetype_hash()),
            family: body.kind.name(),
            loaded: deformation.loaded(),
            heterogeneous: deformation.is_heterogeneous(&part),
            radius,
            volume,
            material: part.material(volume, &masses),
            ..BodyRanges::default()
        };
        self.connect(&part, &mut ranges);
        self.place(&part, &masses)?;
        ranges.particles = part.first..self.positions.len();
        deformation.add(self, &part, &mut ranges)?;
        let device = |i| part.device(i);
        self.skin.add(body, &part.scaled, &part.rest, device);
        ranges.device_index = part.device_index;
        ranges.fields = part.fields;
        self.bodies.push(ranges);
        self.rests.push(part.rest);
        Ok(())
    }

    /// Edges, tetrahedra and triangles, with the constants that they have as springs and volumes.
    fn connect(&mut self, part: &Part<'_>, ranges: &mut BodyRanges) {
        let (scaled, rest) = (&part.scaled, &part.rest);
        let deformation = part.deformation();
        let constants = deformation.element_constants(part, &ranges.material, ranges.radius);
        let springs = self.springs.len();
        for (&[a, b], (distance, damping)) in rest.edges.iter().zip(constants.springs) {
            self.springs.push(Spring {
                points: [part.device(a), part.device(b)],
                rest: scaled.points[a as usize].distance(scaled.points[b as usize]),
                distance,
                damping,
            });
        }
        ranges.springs = springs..self.springs.len();
        let tets = self.tets.len();
        for (i, corners) in scaled.tets.iter().enumerate() {
            self.tets.push(Tet {
                corners: corners.map(|i| part.device(i)),
                rest: scaled.volume(i),
                volume: constants.volumes[i],
            });
        }
        ranges.tets = tets..self.tets.len();
        let triangles = self.triangles.len();
        let corners = rest.triangles.iter();
        self.triangles.extend(corners.map(|corners| corners.map(|i| part.device(i))));
        ranges.triangles = triangles..self.triangles.len();
        let lengths = &self.springs[ranges.springs.clone()];
        let sum: f64 = lengths.iter().map(|spring| spring.rest).sum();
        ranges.edge = match lengths.len() {
            0 => 2.0 * ranges.radius,
            count => sum / count as f64,
        };
        let areas = rest.triangles.iter().map(|corners| {
            let [a, b, c] = corners.map(|i| scaled.points[i as usize]);
            0.5 * (b - a).cross(c - a).length()
        });
        ranges.thickness = match ranges.radius > 0.0 {
            true => 2.0 * ranges.radius,
            false => 2.0 * ranges.volume / areas.sum::<f64>(),
        };
    }

    /// Masses, pins, and the state at the start.
    fn place(&mut self, part: &Part<'_>, masses: &[f64]) -> Result<()> {
        let (body, rest) = (part.body, &part.scaled);
        let placed = placed(body, part.rotation, &rest.points, masses);
        let pinned = pinned(body, &part.rest.mesh.points)?;
        for &i in &part.order {
            let i = i as usize;
            let (position, velocity) = placed[i];
            check_particle(body, i, masses[i], position, velocity)?;
            self.positions.push(position);
            self.velocities.push(match pinned[i] {
                true => DVec3::ZERO,
                false => velocity,
            });
            self.masses.push(masses[i]);
            self.pinned.push(pinned[i]);
            self.rest_points.push(part.rest.mesh.points[i]);
            self.rest_positions.push(rest.points[i]);
            self.colors.extend(part.colors.get(i));
        }
        Ok(())
    }
}

impl Model {
    /// The constants of a body, where they are the same in all of it; none where its parts have their own.
    ///
    /// # Errors
    /// As [`Model::new`], of the rest shape that is there.
    pub(crate) fn uniform(body: &Body, rest: Arc<Rest>) -> Result<Option<Material>> {
        let part = Part::new(body, rest, 0, false)?;
        if !part.deformation().is_uniform(&part) {
            return Ok(None);
        }
        let radius = part.radius()?;
        let masses = masses(body, &part.scaled, &part.rest, &part.fields, radius);
        let volume = volume(&part.scaled, &part.rest, radius);
        Ok(Some(part.material(volume, &masses)))
    }

    /// Gives all of a body the same constants, by which it is of this make.
    pub(crate) fn set_uniform(&mut self, index: usize, material: Material, archetype: u64) {
        let ranges = &mut self.bodies[index];
        (ranges.archetype, ranges.material) = (Some(archetype), material);
        for spring in &mut self.springs[ranges.springs.clone()] {
            (spring.distance, spring.damping) = (material.distance, material.damping);
        }
        for tet in &mut self.tets[ranges.tets.clone()] {
            tet.volume = material.volume;
        }
    }

    /// Puts another body of the same make in a body's place: it starts as that one says.
    ///
    /// # Errors
    /// A place or a speed that cannot be; nothing has changed then.
    pub(crate) fn replace(&mut self, index: usize, body: &Body) -> Result<()> {
        let ranges = &self.bodies[index];
        let device: Vec<_> =
            (ranges.device_index.iter()).map(|i| ranges.particles.start + *i as usize).collect();
        let gather = |all: &[DVec3]| device.iter().map(|i| all[*i]).collect::<Vec<_>>();
        let masses: Vec<_> = device.iter().map(|i| self.masses[*i]).collect();
        let (_, rotation) = placing(body);
        let placed = placed(body, rotation, &gather(&self.rest_positions), &masses);
        for (i, (position, velocity)) in placed.iter().enumerate() {
            check_particle(body, i, masses[i], *position, *velocity)?;
        }
        for (i, (position, velocity)) in device.into_iter().zip(placed) {
            self.positions[i] = position;
            self.velocities[i] = match self.pinned[i] {
                true => DVec3::ZERO,
                false => velocity,
            };
        }
        self.restart_pose(index, body);
        self.bodies[index].name.clone_from(&body.name);
        self.skin.bodies[index].color = body.color;
        Ok(())
    }
}

/// Springs and tetrahedra per point.
fn degrees(rest: &Rest) -> Vec<u32> {
    let mut degrees = vec![0_u32; rest.mesh.points.len()];
    for i in rest.edges.iter().flatten().chain(rest.mesh.tets.iter().flatten()) {
        degrees[*i as usize] += 1;
    }
    degrees
}
