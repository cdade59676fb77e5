//! Soft and rigid bodies of pliant as meshes of Bevy: one wgpu device, and no vertex passes through the host.
//!
//! - [`PliantPlugin`] steps a [`pliant::World`] in Bevy's own device, at Bevy's fixed pace.
//! - Each body, soft or rigid, is a Bevy [`Mesh`] of as many vertices and triangles as the body's surface has, made once. Every
//!   frame the device copies the vertices as they are now over those of the mesh, in the buffer that Bevy has allocated for it:
//!   materials, shadows and all else that Bevy does with a mesh work as ever.
//! - The left mouse button takes hold of a body: the device answers what a ray meets, and nothing waits for it.

use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::render::mesh::allocator::MeshAllocator;
use bevy::render::render_resource::{CommandEncoderDescriptor, Extent3d, TextureDimension, TextureFormat};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::view::Tonemapping;
use bevy::render::{Extract, ExtractSchedule, RenderApp};
use pliant::query::{Met, Queries, Ray, RayHit, RayOptions};
use pliant::scene::{Body, Mass, Scene, Shape, Springs};
use pliant::{Pending, render::MeshBuffers, world::PointerSpring};

/// Submissions in a second of simulation. The pointer's force is renewed by each, and firmer the shorter they are.
const PACE: f64 = 240.0;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, PliantPlugin))
        .insert_resource(ClearColor(Color::srgb(0.62, 0.72, 0.82)))
        .add_systems(Startup, setup)
        .run();
}

/// Steps the [`Simulation`], and shows its bodies in the meshes of entities with a [`Simulated`].
struct PliantPlugin;

impl Plugin for PliantPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Time::<Fixed>::from_hz(PACE))
            .add_systems(FixedUpdate, step)
            .add_systems(PostUpdate, (drag, pack).chain().after(TransformSystems::Propagate));
        app.sub_app_mut(RenderApp).add_systems(ExtractSchedule, deform);
    }
}

/// A world of bodies in Bevy's device.
#[derive(Resource)]
struct Simulation {
    world: pliant::World,
    meshes: MeshBuffers,
    queries: Queries,
    /// What the pointer has been pressed on, while the answer is under way.
    pressed: Option<Pending<Vec<Option<RayHit>>>>,
    held: Option<Held>,
}

/// A particle that the pointer pulls at, how far before the camera it was taken [m], and how.
struct Held {
    depth: f32,
    pointer_spring: PointerSpring,
}

/// The mesh of this entity is a body of the world, the one with this index.
#[derive(Component)]
struct Simulated(usize);

impl Simulation {
    fn new(device: &RenderDevice, queue: &RenderQueue, scene: &Scene) -> pliant::Result<Self> {
        let world = pliant::World::with_device(device.wgpu_device(), queue, scene)?;
        let (meshes, queries) = (MeshBuffers::new(&world)?, Queries::new(&world)?);
        Ok(Self { world, meshes, queries, pressed: None, held: None })
    }

    /// A mesh with room for a body's vertices; the vertices themselves come from the device.
    fn mesh(&self, body: usize) -> Mesh {
        let count = self.meshes.bodies()[body].vertices.len();
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0_f32; 3]; count])
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0_f32; 3]; count])
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, vec![[0.0_f32; 2]; count])
            .with_inserted_indices(Indices::U32(self.meshes.body_indices(body)))
    }
}

/// Submits a frame of the scene, 1/[`PACE`] s, and does not wait for it.
fn step(mut simulation: ResMut<Simulation>) -> Result {
    Ok(simulation.world.step_frame()?)
}

/// The left button takes the point under the pointer, and pulls it along in a plane before the camera.
fn drag(
    mut simulation: ResMut<Simulation>,
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
) -> Result {
    let (own, (camera, place)) = (&mut *simulation, *camera);
    let pointer = window.cursor_position().filter(|_| buttons.pressed(MouseButton::Left));
    let Some(pointer) = pointer.and_then(|pixel| camera.viewport_to_world(place, pixel).ok()) else {
        (own.pressed, own.held) = (None, None);
        return Ok(own.world.set_pointer_spring(None)?);
    };
    let (origin, direction) = (pointer.origin, *pointer.direction);
    if buttons.just_pressed(MouseButton::Left) {
        let ray = Ray { origin, direction };
        own.pressed = Some(own.queries.rays(&own.world, &[ray], &RayOptions::default())?);
    }
    if let Some(hits) = own.pressed.as_mut().map(Pending::poll).transpose()?.flatten()
        && let Some(RayHit { body: Some(body), met: Met::Triangle { triangle, weights }, position, .. }) = hits[0]
    {
        let layout = own.world.layout();
        let particle = layout.triangles()[triangle][weights.max_position()] as usize;
        let whole = layout.bodies().nth(body).map_or(0.0, |body| body.mass);
        // Four times its weight at a metre, but not so stiff that the particle swings faster than submissions can follow.
        let alone = 0.5 * layout.masses()[particle] * PACE;
        let (rate, damping) = ((40.0 * whole).min(alone * PACE) as f32, (4.0 * whole).min(alone) as f32);
        let most = own.world.pointer_spring_limit(particle)?;
        let pointer_spring = PointerSpring { particle, target: position, rate, damping, most };
        own.held = Some(Held { depth: (position - origin).dot(*place.forward()), pointer_spring });
    }
    if let Some(Held { depth, pointer_spring }) = own.held {
        let target = origin + direction * (depth / direction.dot(*place.forward()));
        own.world.set_pointer_spring(Some(PointerSpring { target, ..pointer_spring }))?;
    }
    Ok(())
}

/// The device lays out the vertices of all bodies as Bevy does: position, normal, texture coordinates.
fn pack(mut simulation: ResMut<Simulation>) -> Result {
    let own = &mut *simulation;
    Ok(own.meshes.update(&mut own.world)?)
}

/// The device copies them into the buffer that Bevy keeps the meshes in; a new mesh is there from its second frame on.
fn deform(
    (simulation, shown): (Extract<Res<Simulation>>, Extract<Query<(&Simulated, &Mesh3d)>>),
    (device, queue): (Res<RenderDevice>, Res<RenderQueue>),
    allocator: Res<MeshAllocator>,
) {
    let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
    let bytes = |vertices: u32| u64::from(vertices) * MeshBuffers::LAYOUT.array_stride;
    for (body, mesh) in &shown {
        if let Some(to) = allocator.mesh_vertex_slice(&mesh.id()) {
            let all = simulation.meshes.vertices().on(simulation.world.context()).expect("the world has Bevy's device");
            let from = &simulation.meshes.bodies()[body.0].vertices;
            let size = bytes(from.end - from.start);
            encoder.copy_buffer_to_buffer(&all, bytes(from.start), to.buffer, bytes(to.range.start), size);
        }
    }
    queue.submit([encoder.finish()]);
}

/// A dog and two boxes of jelly fall on the floor, crates and a ball on them.
fn setup(
    mut commands: Commands,
    (device, queue): (Res<RenderDevice>, Res<RenderQueue>),
    (mut meshes, mut images): (ResMut<Assets<Mesh>>, ResMut<Assets<Image>>),
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let mut scene = Scene::default();
    (scene.world.floor, scene.world.fps) = (Some(0.0), PACE);
    scene.bodies = vec![
        Body::from_file("dog", concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/dog.obj")),
        Body::lattice("cube", [4; 3], [0.4; 3]),
        Body::lattice("tower", [3, 6, 3], [0.3, 0.6, 0.3]),
    ];
    for body in &mut scene.bodies {
        body.kind = Springs::young(5e4).into();
    }
    scene.bodies.extend([
        Body::rigid("crate", Shape::Box { size: [0.24; 3] }),
        Body::rigid("long crate", Shape::Box { size: [0.5, 0.16, 0.2] }),
        Body::rigid("ball", Shape::Sphere { radius: 0.14 }),
    ]);
    let places =
        [[0.0, 1.2, 0.3], [-0.7, 0.4, -0.3], [0.6, 0.9, -0.4], [-0.65, 1.5, -0.3], [0.05, 2.4, 0.3], [0.62, 2.2, -0.35]];
    for (body, place) in scene.bodies.iter_mut().zip(places) {
        (body.position, body.rotation) = (place, [0.1, 0.4, 0.2]);
        body.mass = Mass::Density(300.0);
    }
    let simulation = Simulation::new(&device, &queue, &scene)?;
    let soft = [[0.9, 0.6, 0.3], [0.3, 0.6, 0.9], [0.5, 0.8, 0.4]];
    let rigid = [[0.7, 0.5, 0.35], [0.6, 0.4, 0.3], [0.8, 0.35, 0.4]];
    for (index, color) in [soft, rigid].into_iter().flatten().enumerate() {
        commands.spawn((
            Simulated(index),
            Mesh3d(meshes.add(simulation.mesh(index))),
            MeshMaterial3d(materials.add(StandardMaterial {
                base_color: Color::srgb_from_array(color),
                base_color_texture: Some(images.add(checks())),
                ..default()
            })),
            NoFrustumCulling, // Bevy does not know where the device has moved it.
        ));
    }
    commands.insert_resource(simulation);
    let floor = meshes.add(Plane3d::default().mesh().size(12.0, 12.0));
    commands.spawn((Mesh3d(floor), MeshMaterial3d(materials.add(Color::srgb(0.55, 0.55, 0.5)))));
    let sun = DirectionalLight { shadow_maps_enabled: true, ..default() };
    commands.spawn((sun, Transform::from_xyz(1.0, 3.0, 2.0).looking_at(Vec3::ZERO, Vec3::Y)));
    let eye = Transform::from_xyz(0.35, 1.25, 2.7).looking_at(Vec3::new(0.08, 0.27, 0.1), Vec3::Y);
    commands.spawn((Camera3d::default(), Tonemapping::Reinhard, eye));
    Ok(())
}

/// A picture of 8 × 8 checks.
fn checks() -> Image {
    let texel = |i: u32| [if (i / 8 + i / 512) % 2 == 0 { 255 } else { 140 }; 4];
    let (size, data) = (Extent3d { width: 64, height: 64, ..default() }, (0..64 * 64).flat_map(texel).collect());
    let (format, usage) = (TextureFormat::Rgba8UnormSrgb, RenderAssetUsages::RENDER_WORLD);
    Image::new(size, TextureDimension::D2, data, format, usage)
}
