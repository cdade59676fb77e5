//! Adding one body to the arrays of all.

use std::sync::Arc;

use glam::{DMat3, DVec3};

use super::build::placing;
use super::coloring::coloring;
use super::isotropy::SpringWeights;
use super::material::{OwnMaterials, VOLUME_PER_DISTANCE};
use super::order::particle_order;
use super::rest::Rest;
use super::start::{check_particle, masses, pinned, placed, radius, shared_volume, volume};
use super::{
    Area, BodyKind, BodyRanges, Cluster, FemMaterial, Fields, Material, Model, Spring, Tet,
    clusters, fem,
};
use crate::mesh::{Bounds, PointCloud, TetMesh};
use crate::scene::defaults::Extent;
use crate::scene::{Body, Kind, Springs};
use crate::{Error, Result};

/// A body while it is added.
struct Part<'a> {
    body: &'a Body,
    rest: Arc<Rest>,
    /// Its mesh as large as the body.
    scaled: TetMesh,
    /// What turns that to where it starts.
    rotation: DMat3,
    fields: Fields,
    /// What its springs weigh, where they do not weigh the same.
    weights: Option<SpringWeights>,
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
            TetMesh {
                points,
                ..rest.mesh.clone()
            }
        } else {
            TetMesh::new(points, rest.mesh.tets.clone())?
        };
        let colors = match colored {
            true => coloring(rest.mesh.points.len(), &rest.edges),
            false => Vec::new(),
        };
        let order = particle_order(&degrees(&rest), &colors);
        let mut device_index = vec![0_u32; order.len()];
        for (device, &i) in order.iter().enumerate() {
            device_index[i as usize] = device as u32;
        }
        let weights = match body.kind {
            Kind::Springs(Springs::Moduli { .. }) if !scaled.tets.is_empty() => {
                SpringWeights::new(&scaled, &rest.edges, VOLUME_PER_DISTANCE)
            }
            _ => None,
        };
        Ok(Self {
            body,
            weights,
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
    fn device(&self, i: u32) -> u32 {
        self.first as u32 + self.device_index[i as usize]
    }

    /// Distance [m] at which its points touch; 0 where its surface does.
    fn radius(&self) -> Result<f64> {
        if self.scaled.tets.is_empty() {
            return radius(self.body, &self.scaled.points);
        }
        if self.body.radius.is_some() {
            let at = format!("body \"{}\".radius", self.body.name);
            let want = "none: a body of tetrahedra touches by its surface";
            return Err(Error::value(at, "a radius", want));
        }
        Ok(0.0)
    }

    /// Whether springs and volumes carry constants of their own.
    fn is_heterogeneous(&self) -> bool {
        match self.body.kind {
            Kind::Springs(Springs::Moduli { .. }) if self.scaled.tets.is_empty() => true,
            Kind::Springs(_) => {
                !self.fields.is_empty() || self.weights.is_some() || self.rest.parts.is_some()
            }
            Kind::Fem(_) | Kind::Shape(_) => false,
        }
    }

    /// Constants of the whole body; `volume`: of its material [m³].
    fn material(&self, volume: f64, masses: &[f64]) -> Material {
        let extent = Extent {
            sides: Bounds::of(self.scaled.points.iter().copied()).size(),
            density: masses.iter().sum::<f64>() / volume,
            spacing: (volume / masses.len() as f64).cbrt(),
        };
        match &self.body.kind {
            Kind::Springs(springs) => {
                let shared = shared_volume(&self.scaled, &self.rest, volume);
                let (count, weights) = (self.rest.edges.len(), self.weights.as_ref());
                Material::new(springs, &extent, shared, count, weights, self.body.area)
            }
            Kind::Fem(fem) => {
                let (young, relaxation) = extent.moduli(fem.young, fem.relaxation);
                Material {
                    young,
                    relaxation,
                    ..Material::default()
                }
            }
            Kind::Shape(shape) => {
                let (frequency, relaxation) = extent.pull(shape);
                Material {
                    frequency,
                    relaxation,
                    ..Material::default()
                }
            }
        }
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
        let mut ranges = BodyRanges {
            name: body.name.clone(),
            make: Some(body.make_hash()),
            kind: BodyKind::of(&body.kind),
            heterogeneous: part.is_heterogeneous(),
            radius,
            volume,
            material: part.material(volume, &masses),
            ..BodyRanges::default()
        };
        self.add_springs(&part, &mut ranges)?;
        self.add_clusters(&part, ranges.edge)?;
        self.place(&part, &masses)?;
        ranges.particles = part.first..self.positions.len();
        self.add_elements(&part, &mut ranges);
        let device = |i| part.device(i);
        self.skin.add(body, &part.scaled, &part.rest, device);
        ranges.device_index = part.device_index;
        ranges.fields = part.fields;
        self.bodies.push(ranges);
        self.rests.push(part.rest);
        Ok(())
    }

    /// Springs, volumes and areas; of other kinds the edges, tetrahedra and triangles without constants.
    fn add_springs(&mut self, part: &Part, ranges: &mut BodyRanges) -> Result<()> {
        let (scaled, rest) = (&part.scaled, &part.rest);
        let materials = OwnMaterials::new(
            part.body,
            &part.fields,
            &ranges.material,
            scaled,
            rest,
            part.weights.as_ref(),
            ranges.radius,
        );
        let springs = self.springs.len();
        for (&[a, b], (distance, damping)) in rest.edges.iter().zip(materials.springs) {
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
                volume: materials.volumes[i],
            });
        }
        ranges.tets = tets..self.tets.len();
        let triangles = self.triangles.len();
        let corners = rest.triangles.iter();
        self.triangles
            .extend(corners.map(|corners| corners.map(|i| part.device(i))));
        ranges.triangles = triangles..self.triangles.len();
        let areas = self.areas.len();
        if part.body.area > 0.0 {
            self.add_areas(part)?;
        }
        ranges.areas = areas..self.areas.len();
        let lengths = &self.springs[ranges.springs.clone()];
        let sum: f64 = lengths.iter().map(|spring| spring.rest).sum();
        ranges.edge = match lengths.len() {
            0 => 2.0 * ranges.radius,
            count => sum / count as f64,
        };
        Ok(())
    }

    fn add_areas(&mut self, part: &Part) -> Result<()> {
        for (i, corners) in part.rest.triangles.iter().enumerate() {
            let [a, b, c] = corners.map(|i| part.scaled.points[i as usize]);
            let rest = 0.5 * (b - a).cross(c - a).length();
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            if rest <= 1e-6 * longest * longest {
                let message =
                    format!("triangle {i} (corners {corners:?}) has no area to keep: {rest:e} m²");
                return Err(Error::Mesh(message));
            }
            self.areas.push(Area {
                corners: corners.map(|i| part.device(i)),
                rest,
            });
        }
        Ok(())
    }

    /// Clusters; `edge`: the body's mean edge [m], where it has edges.
    fn add_clusters(&mut self, part: &Part, edge: f64) -> Result<()> {
        let Kind::Shape(shape) = &part.body.kind else {
            return Ok(());
        };
        let edge = if part.rest.edges.is_empty() {
            PointCloud::spacing_of(&part.scaled.points).unwrap_or(0.0)
        } else {
            edge
        };
        let body = self.bodies.len();
        let clusters = clusters::of(&part.body.name, shape, &part.rest, &part.scaled, edge)?;
        self.clusters.extend(clusters.into_iter().map(|members| {
            let mut members: Vec<u32> = members.into_iter().map(|i| part.device(i)).collect();
            members.sort_unstable();
            Cluster {
                body,
                members,
                mode: shape.mode,
            }
        }));
        Ok(())
    }

    /// Finite elements, of the body's tetrahedra and masses.
    fn add_elements(&mut self, part: &Part, ranges: &mut BodyRanges) {
        let elements = self.elements.len();
        if let Kind::Fem(fem) = &part.body.kind {
            let material = FemMaterial {
                law: fem.law,
                young: ranges.material.young,
                poisson: fem.poisson,
                relaxation: ranges.material.relaxation,
            };
            let tets = &self.tets[ranges.tets.clone()];
            let inverse_mass = |i: u32| match self.pinned[i as usize] {
                true => 0.0,
                false => self.masses[i as usize].recip(),
            };
            let own = fem::elements(
                material,
                &part.fields,
                &part.scaled,
                tets,
                inverse_mass,
                |i| part.rest.part(i).stiff,
            );
            self.elements.extend(own);
        }
        ranges.elements = elements..self.elements.len();
    }

    /// Masses, pins, and the state at the start.
    fn place(&mut self, part: &Part, masses: &[f64]) -> Result<()> {
        let (body, rest) = (part.body, &part.scaled);
        let placed = placed(body, part.rotation, &rest.points, masses);
        let pinned = pinned(body, &part.rest.mesh.points)?;
        for &i in &part.order {
            let i = i as usize;
            let (position, velocity) = placed[i];
            check_particle(&body.name, i, masses[i], position, velocity)?;
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
        if part.is_heterogeneous() || matches!(body.kind, Kind::Fem(_)) {
            return Ok(None);
        }
        let radius = part.radius()?;
        let masses = masses(body, &part.scaled, &part.rest, &part.fields, radius);
        let volume = volume(&part.scaled, &part.rest, radius);
        Ok(Some(part.material(volume, &masses)))
    }

    /// Gives all of a body the same constants, by which it is of this make.
    pub(crate) fn set_uniform(&mut self, index: usize, material: Material, make: u64) {
        let ranges = &mut self.bodies[index];
        (ranges.make, ranges.material) = (Some(make), material);
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
        let device: Vec<_> = (ranges.device_index.iter())
            .map(|i| ranges.particles.start + *i as usize)
            .collect();
        let gather = |all: &[DVec3]| device.iter().map(|i| all[*i]).collect::<Vec<_>>();
        let masses: Vec<_> = device.iter().map(|i| self.masses[*i]).collect();
        let (_, rotation) = placing(body);
        let placed = placed(body, rotation, &gather(&self.rest_positions), &masses);
        for (i, (position, velocity)) in placed.iter().enumerate() {
            check_particle(&body.name, i, masses[i], *position, *velocity)?;
        }
        for (i, (position, velocity)) in device.into_iter().zip(placed) {
            self.positions[i] = position;
            self.velocities[i] = match self.pinned[i] {
                true => DVec3::ZERO,
                false => velocity,
            };
        }
        self.bodies[index].name.clone_from(&body.name);
        self.skin.bodies[index].color = body.color;
        Ok(())
    }
}

/// Springs and tetrahedra per point.
fn degrees(rest: &Rest) -> Vec<u32> {
    let mut degrees = vec![0_u32; rest.mesh.points.len()];
    for i in rest
        .edges
        .iter()
        .flatten()
        .chain(rest.mesh.tets.iter().flatten())
    {
        degrees[*i as usize] += 1;
    }
    degrees
}
