//! A body of points between two that are drawn.

use super::surfaces::{numbers, vectors};
use super::usda::{flat, prim_of, samples};
use super::vtu::Vtu;
use super::*;

/// A folder with one frame in this format.
fn written(name: &str, format: Format) -> (Folder, State) {
    let folder = Folder::new(name);
    let (topology, state) = with_cloud();
    write_one(&folder, format, topology, &state);
    (folder, state)
}

/// Drawn vertices with the cloud's particles where its body stands.
fn shown(state: &State) -> Vec<Vec3> {
    let drawn = &state.drawn_positions;
    [&drawn[..4], &state.positions[5..8], &drawn[4..]].concat()
}

#[test]
fn vtu_has_a_vertex_per_point_beside_the_tetrahedra() {
    let (folder, state) = written("cloud-vtu", Format::Vtu);
    let vtu = Vtu::parse(&folder.read("frame_00000.vtu"));
    assert_eq!(vtu.counts, [10, 7]);
    assert_eq!(vtu.arrays["Cells types"], [10, 10, 1, 1, 1, 1, 1]);
    let bodies: Vec<u8> = [0, 0, 1, 1, 1, 2, 2].iter().flat_map(|b| [*b, 0, 0, 0]).collect();
    assert_eq!(vtu.arrays["CellData body"], bodies);
    let positions: Vec<u8> = flat(&state.positions).iter().flat_map(|x| x.to_le_bytes()).collect();
    assert_eq!(vtu.arrays["Points Points"], positions);
}

#[test]
fn vtu_has_the_triangles_of_a_shell() {
    let folder = Folder::new("shell-vtu");
    let mut topology = topology();
    topology.rest_positions.push(Vec3::ONE);
    topology.bodies[1].particles = 5..8;
    topology.bodies[1].faces = vec![[5, 7, 6]];
    let mut state = State::new(0);
    state.positions.push(Vec3::ONE);
    state.velocities.push(Vec3::ZERO);
    state.penetrations.push(Vec3::ZERO);
    state.contacts.push(0);
    write_one(&folder, Format::Vtu, topology, &state);
    let vtu = Vtu::parse(&folder.read("frame_00000.vtu"));
    assert_eq!(vtu.counts, [8, 3]);
    assert_eq!(vtu.arrays["Cells types"], [10, 10, 5]);
    assert_eq!(vtu.arrays["Cells offsets"][16], 11);
    let corners = vtu.arrays["Cells connectivity"].as_chunks::<8>().0[8..].iter();
    let corners: Vec<_> = corners.map(|bytes| i64::from_le_bytes(*bytes)).collect();
    assert_eq!(corners, [5, 7, 6]);
    assert_eq!(vtu.arrays["CellData volume_ratio"].len(), 3 * 4);
    assert_eq!(vtu.arrays["CellData body"], [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
}

#[test]
fn obj_has_points_without_normals() {
    let (folder, state) = written("cloud-obj", Format::Obj);
    let text = folder.read("frame_00000.obj");
    assert_eq!(bits(&vectors(&text, "v ")), bits(&shown(&state)));
    assert_eq!(bits(&vectors(&text, "vn ")), bits(&state.drawn_normals));
    assert_eq!(numbers(&text, "p "), [[5.0], [6.0], [7.0]]);
    assert!(text.contains("o cloud\nusemtl cloud\nv ") && text.contains("p 7\no dust\n"));
    assert!(text.contains("f 2/4/2 3/1/3 4/2/4\n"), "before the cloud");
    assert!(text.ends_with("f 8//5 9//6 10//7\n"), "behind it");
}

#[test]
fn ply_has_vertices_without_faces() {
    let (folder, state) = written("cloud-ply", Format::Ply);
    let (header, vertices, faces) = ply(&folder, "frame_00000.ply", 10);
    assert!(header.contains("element vertex 10\n") && header.contains("element face 4\n"));
    let vector = |i: usize, at: usize| {
        [0, 4, 8].map(|k| u32::from_le_bytes(*vertices[i][at + k..].first_chunk().unwrap()))
    };
    for (i, position) in shown(&state).into_iter().enumerate() {
        assert_eq!(vector(i, 0).to_vec(), bits(&[position]).concat(), "{i}");
        let body = usize::from(i >= 4) + usize::from(i >= 7);
        assert_eq!(vertices[i][24..27], with_cloud().0.bodies[body].color);
        assert_eq!(vertices[i][27], body as u8);
    }
    let normals = (4..7).map(|i| vector(i, 12));
    assert!(normals.into_iter().all(|normal| normal == [0; 3]));
    assert_eq!(vector(7, 12).to_vec(), bits(&state.drawn_normals[4..5]).concat());
    assert_eq!(faces[3], [3, 7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0]);
}

#[test]
fn usda_has_points_as_thick_as_they_are() {
    let (folder, state) = written("cloud-usda", Format::Usda);
    let stage = folder.read("scene.usda");
    let cloud = prim_of("Points", &stage, "cloud");
    assert!(cloud.contains("        float[] widths = [0.5] (interpolation = \"constant\")\n"));
    assert!(!cloud.contains("normals") && !cloud.contains("faceVertex"));
    assert!(cloud.contains("rel material:binding = </World/Looks/cloud>"));
    let points = &state.positions[5..8];
    assert_eq!(samples(cloud, "point3f[] points"), [(0, flat(points))]);
    // From (0, 1, 0) to (2, 2, 1), and the radius around.
    let around = vec![-0.25, 0.75, -0.25, 2.25, 2.25, 1.25];
    assert_eq!(samples(cloud, "float3[] extent"), [(0, around)]);
    for (name, vertices) in [("_2_W_rfel", 0..4), ("dust", 4..7)] {
        let mesh = prim_of("Mesh", &stage, name);
        let drawn = flat(&state.drawn_positions[vertices.clone()]);
        assert_eq!(samples(mesh, "point3f[] points"), [(0, drawn)]);
        let normals = flat(&state.drawn_normals[vertices]);
        assert_eq!(samples(mesh, "normal3f[] normals"), [(0, normals)]);
    }
    assert!(stage.contains("int[] faceVertexIndices = [0, 1, 2]"));
}
