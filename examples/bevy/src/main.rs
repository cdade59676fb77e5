//! Soft bodies of pliant as meshes of Bevy: one wgpu device, and no vertex passes through the host.
//!
//! - [`SoftBodyPlugin`] steps a [`pliant::World`] in Bevy's own device, at Bevy's fixed pace.
//! - Each body is a Bevy [`Mesh`] of as many vertices and triangles as the body's surface has, made once. Every frame the
//!   device copies the deformed vertices over those of the mesh, in the buffer that Bevy has allocated for it: materials,
//!   shadows and all else that Bevy does with a mesh work as ever.
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
use pliant::scene::{Body, Mass, Scene, Springs};
use pliant::{Pending, render::MeshBuffers, world::PointerSpring};

/// Submissions in a second of simulation. The pointer's force is renewed by each, and firmer the shorter they are.
const PACE: f64 = 240.0;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, SoftBodyPlugin))
        .insert_resource(ClearColor(Color::srgb(0.62, 0.72, 0.82)))
        .add_systems(Startup, setup)
        .run();
}

/// Steps the [`SoftBodies`], and shows them in the meshes of entities with a [`SoftBody`].
struct SoftBodyPlugin;

impl Plugin for SoftBodyPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Time::<Fixed>::from_hz(PACE))
            .add_systems(FixedUpdate, step)
            .add_systems(PostUpdate, (drag, pack).chain().after(TransformSystems::Propagate));
        app.sub_app_mut(RenderApp).add_systems(ExtractSchedule, deform);
    }
}

/// A world of soft bodies in Bevy's device.
#[derive(Resource)]
struct SoftBodies {
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
struct SoftBody(usize);

impl SoftBodies {
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
fn step(mut soft: ResMut<SoftBodies>) -> Result {
    Ok(soft.world.step_frame()?)
}

/// The left button takes the point under the pointer, and pulls it along in a plane before the camera.
fn drag(
    mut soft: ResMut<SoftBodies>,
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
) -> Result {
    let (soft, (camera, place)) = (&mut *soft, *camera);
    let pointer = window.cursor_position().filter(|_| buttons.pressed(MouseButton::Left));
    let Some(pointer) = pointer.and_then(|pixel| camera.viewport_to_world(place, pixel).ok()) else {
        (soft.pressed, soft.held) = (None, None);
        return Ok(soft.world.set_pointer_spring(None)?);
    };
    let (origin, direction) = (pointer.origin, *pointer.direction);
    if buttons.just_pressed(MouseButton::Left) {
        let ray = Ray { origin, direction };
        soft.pressed = Some(soft.queries.rays(&soft.world, &[ray], &RayOptions::default())?);
    }
    if let Some(hits) = soft.pressed.as_mut().map(Pending::poll).transpose()?.flatten()
        && let Some(RayHit { body: Some(body), met: Met::Triangle { triangle, weights }, position, .. }) = hits[0]
    {
        let layout = soft.world.layout();
        let particle = layout.triangles()[triangle][weights.max_position()] as usize;
        let whole = layout.bodies().nth(body).map_or(0.0, |body| body.mass);
        // Four times its weight at a metre, but not so stiff that the particle swings faster than submissions can follow.
        let own = 0.5 * layout.masses()[particle] * PACE;
        let (rate, damping) = ((40.0 * whole).min(own * PACE) as f32, (4.0 * whole).min(own) as f32);
        let most = soft.world.pointer_spring_limit(particle)?;
        let pointer_spring = PointerSpring { particle, target: position, rate, damping, most };
        soft.held = Some(Held { depth: (position - origin).dot(*place.forward()), pointer_spring });
    }
    if let Some(Held { depth, pointer_spring }) = soft.held {
        let target = origin + direction * (depth / direction.dot(*place.forward()));
        soft.world.set_pointer_spring(Some(PointerSpring { target, ..pointer_spring }))?;
    }
    Ok(())
}

/// The device lays out the deformed vertices as Bevy does: position, normal, texture coordinates.
fn pack(mut soft: ResMut<SoftBodies>) -> Result {
    let soft = &mut *soft;
    Ok(soft.meshes.update(&mut soft.world)?)
}

/// The device copies them into the buffer that Bevy keeps the meshes in; a new mesh is there from its second frame on.
fn deform(
    (soft, shown): (Extract<Res<SoftBodies>>, Extract<Query<(&SoftBody, &Mesh3d)>>),
    (device, queue): (Res<RenderDevice>, Res<RenderQueue>),
    allocator: Res<MeshAllocator>,
) {
    let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
    let bytes = |vertices: u32| u64::from(vertices) * MeshBuffers::LAYOUT.array_stride;
    for (body, mesh) in &shown {
        if let Some(to) = allocator.mesh_vertex_slice(&mesh.id()) {
            let (all, from) = (soft.meshes.vertices().raw(), &soft.meshes.bodies()[body.0].vertices);
            let size = bytes(from.end - from.start);
            encoder.copy_buffer_to_buffer(all, bytes(from.start), to.buffer, bytes(to.range.start), size);
        }
    }
    queue.submit([encoder.finish()]);
}

/// A dog and two boxes fall on the floor.
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
    let places = [[0.0, 1.2, 0.3], [-0.7, 0.4, -0.3], [0.6, 0.9, -0.4]];
    for (body, place) in scene.bodies.iter_mut().zip(places) {
        (body.position, body.rotation) = (place, [0.1, 0.4, 0.2]);
        body.mass = Mass::Density(300.0);
        body.kind = Springs::young(5e4).into();
    }
    let soft = SoftBodies::new(&device, &queue, &scene)?;
    for (index, color) in [[0.9, 0.6, 0.3], [0.3, 0.6, 0.9], [0.5, 0.8, 0.4]].into_iter().enumerate() {
        commands.spawn((
            SoftBody(index),
            Mesh3d(meshes.add(soft.mesh(index))),
            MeshMaterial3d(materials.add(StandardMaterial {
                base_color: Color::srgb_from_array(color),
                base_color_texture: Some(images.add(checks())),
                ..default()
            })),
            NoFrustumCulling, // Bevy does not know where the device has moved it.
        ));
    }
    commands.insert_resource(soft);
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
