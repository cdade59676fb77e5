use std::collections::HashSet;
use std::path::Path;

use glam::{DVec3, Vec2};

use super::*;
use crate::World;
use crate::gpu::types::MeshVertex;
use crate::mesh::{Mesh as AnyMesh, read};
use crate::reference::skin::{self, Anchor};
use crate::scene::{Body, Kind, MeshSource, Scene};

fn asset(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name)
}

/// A dog with a texture, bars without one, a box, points, side by side on the floor.
fn scene() -> Scene {
    let mut bodies = vec![
        Body::from_file("dog", asset("dog.obj")),
        Body::from_file("bar", asset("bar.node")),
        Body::lattice("box", [3, 2, 2], [0.6, 0.4, 0.4]),
        Body::from_file("points", asset("torus.xyz")),
    ];
    bodies[0].mesh = MeshSource::File { path: asset("dog.obj"), cells: 4 };
    // The bar has needles: springs in it would take hundreds of thousands of steps.
    for index in [1, 3] {
        bodies[index].kind = Kind::Shape(Default::default());
    }
    for (i, body) in bodies.iter_mut().enumerate() {
        body.position = [2.0 * i as f64, 0.5, 0.0];
        body.rotation = [0.3, 0.2 * i as f64, 0.1];
        body.angular_velocity = [1.0, 2.0, -1.0];
    }
    let mut scene = Scene { bodies, ..Scene::default() };
    scene.world.floor = Some(0.0);
    scene
}

/// What the vertices should be, in f64 from the particles' state: by drawn vertex.
fn wanted(world: &mut World) -> (Vec<DVec3>, Vec<DVec3>) {
    let x: Vec<_> = world.read().unwrap().positions.iter().map(|x| x.as_dvec3()).collect();
    let drawn = &world.model().skin;
    let anchor = |(corners, weights): (&[u32; 4], &[f64; 4])| Anchor {
        corners: corners.map(|i| i as usize),
        weights: *weights,
    };
    let anchors: Vec<_> = drawn.corners.iter().zip(&drawn.weights).map(anchor).collect();
    let triangles: Vec<_> = drawn.triangles.iter().map(|t| t.map(|i| i as usize)).collect();
    let positions = skin::positions(&anchors, &x);
    let normals = skin::normals(&positions, &triangles);
    (positions, normals)
}

fn normal(vertex: &MeshVertex) -> Vec3 {
    Vec3::new(vertex.normal_x, vertex.normal_yz.x, vertex.normal_yz.y)
}

/// Every corner of every triangle, while bodies turn, fall and land.
#[test]
fn vertices_handed_over_are_those_of_the_reference() {
    let mut world = world(&scene());
    let mut meshes = MeshBuffers::new(&world).unwrap();
    for _ in 0..12 {
        world.step_frame().unwrap();
    }
    meshes.update(&mut world).unwrap();
    let (positions, normals) = wanted(&mut world);
    let vertices = meshes.vertices().read(context()).unwrap();
    let indices = meshes.indices().read(context()).unwrap();
    let AnyMesh::Surface(dog) = read(&asset("dog.obj")).unwrap() else {
        panic!("a surface");
    };
    let file = dog.welded().uv.unwrap();
    let drawn = &world.model().skin;
    let mut used = vec![false; vertices.len()];
    for (index, (mesh, body)) in meshes.bodies().iter().zip(&drawn.bodies).enumerate() {
        let own: Vec<_> = indices[mesh.indices.start as usize..mesh.indices.end as usize].to_vec();
        let local: Vec<_> = own.iter().map(|i| i - mesh.vertices.start).collect();
        assert_eq!(meshes.body_indices(index), local);
        assert_eq!(own.len(), 3 * body.triangles.len(), "body {index}");
        let corners = drawn.triangles[body.triangles.clone()].as_flattened();
        for (corner, (&i, &vertex)) in own.iter().zip(corners).enumerate() {
            assert!(mesh.vertices.contains(&i));
            used[i as usize] = true;
            let (got, vertex) = (&vertices[i as usize], vertex as usize);
            let off = got.position.as_dvec3().distance(positions[vertex]);
            assert!(off < 2e-6, "body {index}, corner {corner}: {off} m off");
            let off = normal(got).as_dvec3().distance(normals[vertex]);
            assert!(off < 2e-3, "body {index}, corner {corner}: a normal is {off} off");
            if index == 0 {
                let [u, v] = file.values[file.corners[corner / 3][corner % 3] as usize];
                assert_eq!(got.uv, Vec2::new(u, 1.0 - v), "corner {corner}");
            }
        }
    }
    assert!(used.iter().all(|used| *used), "a vertex of no triangle");
    let bodies = meshes.bodies().iter();
    let flags: Vec<_> = bodies.map(|m| (m.textured, m.closed, m.vertices.is_empty())).collect();
    let [solid, bare] = [(true, true, false), (false, true, false)];
    assert_eq!(flags, [solid, bare, solid, (false, flags[3].1, true)]);
    let bar = &meshes.bodies()[1].vertices;
    let bar = &vertices[bar.start as usize..bar.end as usize];
    assert!(bar.iter().all(|v| v.uv == Vec2::ZERO));
    // The dog's texture has seams, across which normals do not break.
    let dog = meshes.bodies()[0].vertices.len();
    let points = drawn.bodies[0].vertices.len();
    assert!(dog > points, "{dog} vertices of {points} points");
    let sides = &vertices[meshes.bodies()[2].vertices.start as usize..];
    let places = sides.iter().map(|v| v.uv.to_array().map(f32::to_bits));
    let places: HashSet<_> = places.collect();
    assert!(places.len() > 12, "one picture over all sides");
}

/// A pass that knows nothing of pliant: it draws with the layout, and shows texture coordinates and normals as colours.
const SHOWN: &str = "
struct Seen { @builtin(position) place: vec4f, @location(0) color: vec4f }
@vertex fn place(@location(0) x: vec3f, @location(1) n: vec3f, @location(2) uv: vec2f) -> Seen {
    return Seen(vec4f(x.xy, 0.5 - 0.5 * x.z, 1.0), vec4f(uv, n.z, 1.0));
}
@fragment fn shade(seen: Seen) -> @location(0) vec4f { return seen.color; }";

fn draw(meshes: &MeshBuffers, picture: &mut Picture) -> Image {
    let (device, queue) = context().graphics().unwrap();
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(SHOWN.into()),
    });
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            buffers: &[Some(MeshBuffers::LAYOUT)],
        },
        primitive: wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..Default::default() },
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            targets: &[Some(picture.format().into())],
        }),
        multiview_mask: None,
        cache: None,
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: picture.view(),
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        })],
        ..Default::default()
    });
    pass.set_pipeline(&pipeline);
    pass.set_vertex_buffer(0, meshes.vertices().on(context()).unwrap().slice(..));
    pass.set_index_buffer(
        meshes.indices().on(context()).unwrap().slice(..),
        wgpu::IndexFormat::Uint32,
    );
    for body in meshes.bodies() {
        pass.draw_indexed(body.indices.clone(), 0, 0..1);
    }
    drop(pass);
    queue.submit([encoder.finish()]);
    let pending = picture.begin_read();
    picture.finish_read(pending).unwrap()
}

/// A unit box as another program draws it: the front side, the picture on it upright from its upper left corner.
#[test]
fn a_pass_of_the_callers_draws_what_is_handed_over() {
    let mut scene =
        Scene { bodies: vec![Body::lattice("box", [2; 3], [1.0; 3])], ..Scene::default() };
    scene.world.gravity = [0.0; 3];
    let mut world = world(&scene);
    let mut meshes = MeshBuffers::new(&world).unwrap();
    meshes.update(&mut world).unwrap();
    let mut picture = Picture::new(context(), [64, 64], wgpu::TextureFormat::Rgba8Unorm).unwrap();
    let image = draw(&meshes, &mut picture);
    for (x, y) in [(17, 17), (46, 17), (17, 46), (33, 24), (40, 40)] {
        let uv = [x, y].map(|i| (i as f32 + 0.5 - 16.0) / 32.0);
        let want = [uv[0], uv[1], 1.0].map(|c| (255.0 * c).round() as u8);
        let got = image.pixel(x, y);
        let near = want.iter().zip(got).all(|(a, b)| a.abs_diff(b) <= 1);
        assert!(near, "({x}, {y}): {got:?}, wanted {want:?}");
    }
    assert_eq!(image.pixel(8, 8)[..3], [0; 3]);
    // Out of the world, out of the picture.
    let id = world.body_id(0).unwrap();
    world.remove(id).unwrap();
    meshes.update(&mut world).unwrap();
    assert!(meshes.bodies()[0].indices.is_empty() && !meshes.body_indices(0).is_empty());
    let image = draw(&meshes, &mut picture);
    assert!(image.pixels.chunks(4).all(|pixel| pixel[..3] == [0; 3]));
}

/// Bodies of another make are handed over as well, where they are.
#[test]
fn meshes_follow_the_bodies_of_a_world() {
    let scene = Scene { bodies: vec![Body::lattice("box", [2; 3], [1.0; 3])], ..Scene::default() };
    let mut world = world(&scene);
    let mut meshes = MeshBuffers::new(&world).unwrap();
    meshes.update(&mut world).unwrap();
    let before = meshes.vertices().len();
    let mut more = Body::lattice("more", [1, 2, 3], [0.3, 0.4, 0.5]);
    more.position = [3.0, 0.0, 0.0];
    world.add(&more).unwrap();
    world.step_frame().unwrap();
    meshes.update(&mut world).unwrap();
    let range = meshes.bodies()[1].vertices.clone();
    assert_eq!((range.start as usize, range.end as usize), (before, meshes.vertices().len()));
    let vertices = meshes.vertices().read(context()).unwrap();
    assert!(vertices[before..].iter().all(|v| (v.position.x - 3.0).abs() < 0.2));
    let mut empty = super::world(&Scene::default());
    meshes.update(&mut empty).unwrap();
    assert!(
        meshes.bodies().is_empty() && meshes.vertices().is_empty() && meshes.indices().is_empty()
    );
}
