//! A fingerprint of a scene, by which a save file knows its own.

use super::format::*;
use super::kind::*;
use crate::hash::Fnv;

impl Scene {
    /// FNV-1a (Fowler, Noll, Vo) over everything that the physics depends on: not the duration, the colours, the
    /// skins or the folder, nor the frame rate (a save file carries the step that was chosen with it). Mesh
    /// files count by their path; the hash of the model stands for what is in them.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv::new();
        self.hashes()
            .into_iter()
            .for_each(|part| hash.integer(part));
        hash.finish()
    }

    /// The same of each kind of table: of the world, all bodies and what ties them, all solids, all events.
    pub(crate) fn hashes(&self) -> [u64; 4] {
        let of = |write: &dyn Fn(&mut Fnv)| {
            let mut hash = Fnv::new();
            write(&mut hash);
            hash.finish()
        };
        [
            of(&|hash| hash.world(&self.world)),
            of(&|hash| {
                hash.all(&self.bodies, Fnv::body);
                if self.replica_count() > 1 {
                    hash.integer(self.replica_count() as u64);
                }
                if !self.attachments.is_empty() {
                    hash.all(&self.attachments, Fnv::attachment);
                }
            }),
            of(&|hash| hash.all(&self.solids, Fnv::solid)),
            of(&|hash| hash.all(&self.events, Fnv::event)),
        ]
    }
}

impl Body {
    /// FNV-1a over what its rest shape is read or made from, before it is scaled.
    pub(crate) fn mesh_hash(&self) -> u64 {
        let mut hash = Fnv::new();
        hash.mesh(&self.mesh);
        hash.bytes(&[u8::from(self.shell), u8::from(self.fitted)]);
        hash.all(self.skin.as_slice(), |hash, path| {
            hash.text(&path.to_string_lossy())
        });
        hash.finish()
    }
}

impl Body {
    /// FNV-1a over what its arrays on the device are made from: all but its name, how it starts, what it touches and how,
    /// and its colour.
    pub(crate) fn make_hash(&self) -> u64 {
        let rotation = match self.order {
            Order::ScaleFirst => [0.0; 3],
            Order::RotateFirst => self.rotation,
        };
        let plain = Self {
            skin: self.skin.clone(),
            rotation,
            scale: self.scale,
            order: self.order,
            mass: self.mass,
            kind: self.kind.clone(),
            area: self.area,
            shell: self.shell,
            fitted: self.fitted,
            radius: self.radius,
            regions: self.regions.clone(),
            cell_data: self.cell_data.clone(),
            damping_mode: self.damping_mode,
            pin: self.pin.clone(),
            ..Self::new("", self.mesh.clone())
        };
        let mut hash = Fnv::new();
        hash.body(&plain);
        hash.integer(plain.mesh_hash());
        hash.finish()
    }
}

impl Fnv {
    fn numbers(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|x| self.number(*x));
    }

    /// The length goes first, so that "ab", "c" differs from "a", "bc".
    fn text(&mut self, text: &str) {
        self.integer(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    fn all<T>(&mut self, items: &[T], item: impl Fn(&mut Self, &T)) {
        self.integer(items.len() as u64);
        items.iter().for_each(|x| item(self, x));
    }

    fn optional(&mut self, x: Option<f64>) {
        self.all(x.as_slice(), |hash, x| hash.number(*x));
    }

    fn world(&mut self, world: &WorldSettings) {
        let WorldSettings {
            gravity,
            floor,
            step,
            integrator,
            iterations,
            tolerance,
            auto_integrator,
            friction,
            drag,
            contact,
            self_contact,
            projection,
            response,
            duration: _,
            fps: _,
        } = world;
        self.numbers(gravity);
        self.optional(*floor);
        match step {
            Step::Auto => self.number(0.0),
            Step::Fixed(step) => self.number(*step),
            Step::Adaptive(error) => {
                self.number(-1.0);
                self.optional(*error);
            }
        }
        self.optional(iterations.map(f64::from));
        self.optional(*tolerance);
        // What a world picks is in its save files.
        self.text(match auto_integrator {
            true => AUTO,
            false => integrator.name(),
        });
        self.numbers(&[*friction, *drag]);
        self.bytes(&[u8::from(*contact), u8::from(*self_contact)]);
        self.text(projection.name());
        self.text(response.name());
    }

    fn body(&mut self, body: &Body) {
        let Body {
            name,
            mesh,
            skin: _,
            position,
            rotation,
            scale,
            order,
            velocity,
            angular_velocity,
            mass,
            kind,
            area,
            shell,
            fitted,
            radius,
            stretch,
            scatter,
            seed,
            regions,
            cell_data,
            damping_mode,
            friction,
            group,
            mask,
            color: _,
            pin,
        } = body;
        self.text(name);
        self.mesh(mesh);
        for v in [position, rotation, scale, velocity, angular_velocity] {
            self.numbers(v);
        }
        self.bytes(&[*order as u8]);
        match mass {
            Mass::Point(mass) => self.numbers(&[0.0, *mass]),
            Mass::Density(density) => self.numbers(&[1.0, *density]),
            Mass::Body(mass) => self.numbers(&[2.0, *mass]),
        }
        self.kind(kind);
        self.numbers(&[*area, *scatter]);
        self.integer(u64::from(*seed));
        self.numbers(stretch);
        self.bytes(&[u8::from(*shell), u8::from(*fitted)]);
        self.optional(*radius);
        self.all(regions, |hash, region| {
            hash.numbers(&region.within.min);
            hash.numbers(&region.within.max);
            hash.all(&region.constants, |hash, (constant, value)| {
                hash.text(constant.name());
                hash.number(*value);
            });
        });
        self.all(cell_data, |hash, constant| hash.text(constant.name()));
        self.text(damping_mode.map_or("", DampingMode::name));
        self.optional(*friction);
        self.integer(u64::from(*group));
        self.integer(u64::from(*mask));
        self.all(pin, |hash, Aabb { min, max }| {
            hash.numbers(min);
            hash.numbers(max);
        });
    }

    fn kind(&mut self, kind: &Kind) {
        self.text(kind.name());
        match kind {
            Kind::Springs(Springs::Constants {
                distance,
                volume,
                damping,
            }) => self.numbers(&[0.0, *distance, *volume, *damping]),
            Kind::Springs(Springs::Moduli { young, relaxation }) => {
                self.number(1.0);
                self.optional(*young);
                self.optional(*relaxation);
            }
            Kind::Fem(fem) => {
                self.optional(fem.young);
                self.number(fem.poisson);
                self.optional(fem.relaxation);
                self.text(fem.law.name());
                self.plasticity(&fem.plasticity);
            }
            Kind::Shape(shape) => {
                match shape.pull {
                    Pull::Alpha(alpha) => self.numbers(&[0.0, alpha]),
                    Pull::Frequency(frequency) => self.numbers(&[1.0, frequency]),
                    Pull::Suited => self.number(2.0),
                }
                self.numbers(&[shape.beta, shape.relaxation]);
                self.text(shape.mode.name());
                self.clusters(&shape.clusters);
                self.plasticity(&shape.plasticity);
            }
        }
    }

    fn plasticity(&mut self, plasticity: &Plasticity) {
        self.numbers(&[plasticity.yield_strain, plasticity.creep, plasticity.most]);
    }

    fn clusters(&mut self, clusters: &Clusters) {
        match clusters {
            Clusters::Whole => self.text("whole"),
            Clusters::Grid { count, overlap } => {
                self.text("grid");
                count.iter().for_each(|n| self.integer(u64::from(*n)));
                self.number(*overlap);
            }
            Clusters::Tets => self.text("tets"),
            Clusters::Boxes(boxes) => {
                self.text("boxes");
                self.all(boxes, |hash, Aabb { min, max }| {
                    hash.numbers(min);
                    hash.numbers(max);
                });
            }
            Clusters::Given(lists) => {
                self.text("given");
                self.all(lists, |hash, points| {
                    hash.all(points, |hash, i| hash.integer(u64::from(*i)));
                });
            }
        }
    }

    fn mesh(&mut self, mesh: &MeshSource) {
        match mesh {
            MeshSource::Lattice { cubes, size } => {
                self.text("lattice");
                cubes.iter().for_each(|n| self.integer(u64::from(*n)));
                self.numbers(size);
            }
            MeshSource::File { path, cells } => {
                self.text("file");
                self.text(&path.to_string_lossy());
                self.integer(u64::from(*cells));
            }
            MeshSource::Tets(mesh) => {
                self.text("tets");
                self.all(&mesh.points, |hash, p| hash.numbers(&p.to_array()));
                self.all(&mesh.tets, |hash, tet| {
                    tet.iter().for_each(|i| hash.integer(u64::from(*i)))
                });
            }
            MeshSource::Points(points) => {
                self.text("points");
                self.all(points, |hash, p| hash.numbers(&p.to_array()));
            }
            MeshSource::Surface { surface, cells } => {
                self.text("surface");
                self.all(&surface.points, |hash, p| hash.numbers(&p.to_array()));
                self.all(&surface.triangles, |hash, t| {
                    t.iter().for_each(|i| hash.integer(u64::from(*i)))
                });
                self.integer(u64::from(*cells));
            }
        }
    }

    fn solid(&mut self, solid: &Solid) {
        match solid {
            Solid::Plane { position, normal } => {
                self.text("plane");
                self.numbers(&[*position, *normal].concat());
            }
            Solid::Sphere { position, radius } => {
                self.text("sphere");
                self.numbers(position);
                self.number(*radius);
            }
            Solid::Box {
                position,
                rotation,
                size,
            } => {
                self.text("box");
                self.numbers(&[*position, *rotation, *size].concat());
            }
        }
    }

    fn attachment(&mut self, attachment: &Attachment) {
        self.text(&attachment.body);
        match &attachment.points {
            AttachedPoints::Within(Aabb { min, max }) => {
                self.text("box");
                self.numbers(min);
                self.numbers(max);
            }
            AttachedPoints::Listed(points) => {
                self.text("points");
                self.all(points, |hash, i| hash.integer(u64::from(*i)));
            }
        }
        match &attachment.to {
            AttachedTo::Body(body) => {
                self.text("body");
                self.text(body);
            }
            AttachedTo::Solid(solid) => {
                self.text("solid");
                self.integer(u64::from(*solid));
            }
            AttachedTo::Place => self.text("place"),
        }
        self.all(attachment.stiffness.as_slice(), |hash, k| hash.number(*k));
        self.number(attachment.damping_ratio);
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::LineForce {
                body,
                point,
                force,
                from,
                to,
            } => {
                self.text("line_force");
                self.text(body);
                self.numbers(&[*point, *force].concat());
                self.numbers(&[*from, *to]);
            }
            Event::Move {
                what,
                centre,
                velocity,
                angular_velocity,
                from,
                to,
            } => {
                self.text("move");
                match what {
                    Movable::Solid(solid) => self.integer(u64::from(*solid)),
                    Movable::Pins(body) => self.text(body),
                }
                self.numbers(&[*centre, *velocity, *angular_velocity].concat());
                self.numbers(&[*from, *to]);
            }
            Event::Wind { velocity, from, to } => {
                self.text("wind");
                self.numbers(velocity);
                self.numbers(&[*from, *to]);
            }
        }
    }
}
