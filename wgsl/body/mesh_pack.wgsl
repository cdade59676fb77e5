// mesh_pack: one thread per vertex that is handed over. Position and normal of a drawn vertex, and its place in a picture,
// side by side as programs that draw take them. Reads mesh_sources, skin_positions, skin_normal; writes mesh_vertices.
#import shared/sim

@group(0) @binding(19) var<storage, read_write> skin_positions: array<vec4f>;
@group(0) @binding(20) var<storage, read_write> skin_normal: array<vec4f>;
@group(0) @binding(162) var<storage, read> mesh_sources: array<MeshSource>;
@group(0) @binding(163) var<storage, read_write> mesh_vertices: array<MeshVertex>;

@compute @workgroup_size(64)
fn mesh_pack(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= arrayLength(&mesh_sources) {
        return;
    }
    let source = mesh_sources[i];
    let normal = skin_normal[source.vertex];
    mesh_vertices[i] = MeshVertex(skin_positions[source.vertex].xyz, normal.x, normal.yz, source.uv);
}
