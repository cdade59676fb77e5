// pose_obstacle: one thread per obstacle. The pose of an obstacle, behind those of bodies, is where it is at the start of the
// step; of a half space its own y is the normal.
// Reads the solids in externals; writes poses.
#import shared/sim
#import shared/externals

@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;

// The quaternion that turns y to n the shorter way.
fn from_up(n: vec3f) -> vec4f {
    let side = dot(n.xz, n.xz);
    if n.y < 0.0 && side < 1e-30 {
        return vec4f(1.0, 0.0, 0.0, 0.0);
    }
    // 1 + n.y, of which little is left where it looks down.
    return normalize(vec4f(n.z, 0.0, -n.x, select(1.0 + n.y, side / (1.0 - n.y), n.y < 0.0)));
}

@compute @workgroup_size(64)
fn pose_obstacle(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= sim.solid_count {
        return;
    }
    let p = sim.pose_count - sim.solid_count + k;
    let solid = externals.solids[k];
    var rotation = vec4f(0.0, 0.0, 0.0, 1.0);
    if solid.kind == SOLID_PLANE {
        rotation = from_up(solid.extent);
    } else if solid.kind == SOLID_BOX {
        rotation = solid.rotation;
    }
    poses[p].position = solid.centre;
    poses[p].rotation = rotation;
    poses[p].velocity = solid.velocity;
    poses[p].spin = solid.spin;
}
