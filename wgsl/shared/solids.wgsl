// Particles against immovable solids: impulses on the velocity before the move, projection of the position after it.
// [impulses: Coulomb, lambda_n >= 0 and |lambda_t| <= mu lambda_n; a particle's block is solved here, all per unit mass]
#import shared/sim
#import shared/externals
#import content

struct Distance {
    normal: vec3f,        // outward unit normal
    depth: f32,           // [m], positive inside
}

struct Touch {
    normal: vec3f,
    target_speed: f32,    // least velocity along the normal [m/s]
    normal_impulse: f32,  // [m/s]
    tangent_impulse: vec3f,
}

fn rotate(q: vec4f, v: vec3f) -> vec3f {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

// Of a sphere about x; radius 0: a point.
fn solid_distance(solid: Solid, x: vec3f, radius: f32) -> Distance {
    let d = x - solid.centre;
    if solid.kind == SOLID_PLANE {
        return Distance(solid.extent, radius - dot(d, solid.extent));
    }
    if solid.kind == SOLID_SPHERE {
        let r = length(d);
        return Distance(select(vec3f(0.0, 1.0, 0.0), d / max(r, 1e-30), r > 0.0), radius + solid.extent.x - r);
    }
    let inverse = vec4f(-solid.rotation.xyz, solid.rotation.w);
    let local = rotate(inverse, d);
    let side = select(vec3f(-1.0), vec3f(1.0), local >= vec3f());
    let beyond = abs(local) - solid.extent;
    let outside = max(beyond, vec3f());
    let gap = length(outside);
    if gap > 0.0 {
        return Distance(rotate(solid.rotation, side * outside / gap), radius - gap);
    }
    var axis = vec3f(0.0, 0.0, 1.0);
    if beyond.x >= beyond.y && beyond.x >= beyond.z {
        axis = vec3f(1.0, 0.0, 0.0);
    } else if beyond.y >= beyond.z {
        axis = vec3f(0.0, 1.0, 0.0);
    }
    return Distance(rotate(solid.rotation, side * axis), radius - dot(beyond, axis));
}

// The velocity after contact. x: before the move; before: the velocity at the step's start; v: after the forces.
fn solids_impulse(x: vec3f, before: vec3f, v: vec3f, body: Body) -> vec3f {
    if !HAS_SOLIDS {
        return v;
    }
    var touches: array<Touch, MAX_TOUCHING>;
    var count = 0u;
    for (var k = 0u; k < sim.solid_count; k++) {
        let distance = solid_distance(externals.solids[k], x, body.radius);
        let approach = max(0.0, -dot(v, distance.normal));
        if -distance.depth < body.margin + sim.step * approach && count < MAX_TOUCHING {
            var target_speed = min(distance.depth, 0.0) / sim.step;
            let impact = -dot(before, distance.normal);
            if body.restitution > 0.0 && impact > sim.restitution_speed {
                target_speed = max(target_speed, body.restitution * impact);
            }
            touches[count] = Touch(distance.normal, target_speed, 0.0, vec3f());
            count++;
        }
    }
    var u = v;
    for (var round = 0u; round < 2u; round++) {
        for (var k = 0u; k < count; k++) {
            let touch = touches[k];
            let along = dot(u, touch.normal);
            let normal_impulse = max(0.0, touch.normal_impulse - (along - touch.target_speed));
            let wanted = touch.tangent_impulse - (u - along * touch.normal);
            let most = body.friction * normal_impulse;
            let tangent_impulse = wanted * min(1.0, most / max(length(wanted), 1e-30));
            u += (normal_impulse - touch.normal_impulse) * touch.normal + tangent_impulse - touch.tangent_impulse;
            touches[k].normal_impulse = normal_impulse;
            touches[k].tangent_impulse = tangent_impulse;
        }
    }
    return u;
}

// The position after the move, with a share of what is left inside taken back. A held particle stays where it was.
fn solids_project(p: Particle, x: vec3f, body: Body) -> vec3f {
    if p.inverse_mass == 0.0 {
        return p.position;
    }
    var moved = x;
    if !HAS_SOLIDS {
        return moved;
    }
    for (var k = 0u; k < sim.solid_count; k++) {
        let distance = solid_distance(externals.solids[k], moved, body.radius);
        moved += min(PROJECTION_SHARE * max(0.0, distance.depth), PROJECTION_SPEED * sim.step) * distance.normal;
    }
    return moved;
}
