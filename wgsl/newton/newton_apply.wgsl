// newton_apply: one thread per particle. The matrix of Newton's equation times the direction z,
// H z = m (1/h^2 + drag/h) z + K z + C z/h + D z, and z.H z. A spring: k_D/l0^2 + d_C/(h l0^2) along it and, where it
// is stretched, its tension over its length across it; a volume: k_V g g^T, g the gradient of its strain; an area
// likewise, and where it is stretched its tension against bending out of its plane. What elements with passes of their
// own do stands in `loads`, of ties beside springs, too (w -1, from tie_gather). D: of contacts.
// Reads directions, contact_blocks, loads and the model; writes products.
#import shared/sim
#import shared/direction

@group(0) @binding(60) var<storage, read> loads: array<vec4f>;
@group(0) @binding(102) var<storage, read_write> contact_blocks: array<ContactBlock>;
@group(0) @binding(93) var<storage, read_write> products: array<vec4f>;

@compute @workgroup_size(64)
fn newton_apply(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = directions[i];
    if p.inverse_mass == 0.0 {
        products[i] = vec4f();
        return;
    }
    let point = points[i];
    let body = bodies[point.body];
    let press = contact_blocks[i];
    let z = p.velocity;
    let o = press.off;
    var sum = ((1.0 / sim.step + sim.drag) / (p.inverse_mass * sim.step)) * z + press.diagonal * z
        + o.yzx * z.zxy + o.zxy * z.yzx;
    if HAS_LOADS {
        let load = loads[i];
        sum -= select(vec3f(), load.xyz / p.inverse_mass, body.loaded != 0u || load.w < -0.5);
    }
    if !HAS_LOADS || body.loaded == 0u {
        sum += direction_springs(p, point, body) + direction_volumes(i, p, point, body);
        sum += direction_areas(p, point, body);
    }
    products[i] = vec4f(sum, dot(sum, z));
}
