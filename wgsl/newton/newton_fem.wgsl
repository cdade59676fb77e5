// newton_fem: one thread per tetrahedron. The change of the forces on its corners along the direction z, -K z, by its
// tangent [newton_tangent].
// Reads directions, fem_tets, tangents; writes corner_forces.
#import shared/sim
#import shared/matrix

@group(0) @binding(64) var<storage, read> fem_tets: array<FemTet>;
@group(0) @binding(66) var<storage, read_write> corner_forces: array<vec4f>;
@group(0) @binding(92) var<storage, read> directions: array<Particle>;
@group(0) @binding(96) var<storage, read> tangents: array<FemTangent>;

@compute @workgroup_size(64)
fn newton_fem(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.fem_count {
        return;
    }
    let corners = fem_tets[i].corners;
    let slots = fem_tets[i].slots;
    let t = tangents[i];
    let u = mat3x3f(t.first, t.second, cross(t.first, t.second));
    let z = directions[corners.x].velocity;
    let y = matrix_outer((directions[corners.y].velocity - z) * u, t.gradient_b)
        + matrix_outer((directions[corners.z].velocity - z) * u, t.gradient_c)
        + matrix_outer((directions[corners.w].velocity - z) * u, t.gradient_d);
    let own = vec3f(y[0].x, y[1].y, y[2].z);
    let up = vec3f(y[2].y, y[0].z, y[1].x);
    let low = vec3f(y[1].z, y[2].x, y[0].y);
    let both = vec3f(t.both_x, t.both_y, t.both_z);
    let d = t.diagonal * own + t.off.yzx * own.zxy + t.off.zxy * own.yzx;
    let a = t.up * up + both * low;
    let b = both * up + vec3f(t.low_x, t.low_y, t.low_z) * low;
    let stress = mat3x3f(d.x, b.z, a.y, a.z, d.y, b.x, b.y, a.x, d.z);
    let fb = u * (stress * t.gradient_b);
    let fc = u * (stress * t.gradient_c);
    let fd = u * (stress * t.gradient_d);
    corner_forces[slots.x] = vec4f(fb + fc + fd, 0.0);
    corner_forces[slots.y] = vec4f(-fb, 0.0);
    corner_forces[slots.z] = vec4f(-fc, 0.0);
    corner_forces[slots.w] = vec4f(-fd, 0.0);
}
