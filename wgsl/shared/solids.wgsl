// Particles against solids that nothing pushes: impulses on the velocity before the move, projection of the position after it.
// [impulses: Coulomb, lambda_n >= 0 and |lambda_t| <= mu lambda_n; a particle's block is solved here, all per unit mass]
// A solid that moves acts by velocities relative to its surface. Positions at the step's end are seen where the solid's material
// was at its start, where the solids are given.
#import shared/sim
#import shared/externals
#import shared/turn
#import content

struct Distance {
    normal: vec3f,        // outward unit normal
    depth: f32,           // [m], positive inside
}

// The solids that a particle touches, a component each: an array that is indexed would lie in memory.
struct Touches {
    velocity: vec3f,      // after contact [m/s]
    count: u32,
    solids: vec4u,
    friction: vec4f,      // Coulomb's coefficients
    x: vec4f,             // of their normals
    y: vec4f,
    z: vec4f,
    target_speed: vec4f,  // least velocity along the normal, relative to the solid [m/s]
    surface_x: vec4f,     // of the solids' velocities there [m/s]
    surface_y: vec4f,
    surface_z: vec4f,
    normal_impulse: vec4f, // [m/s]
    tangent_x: vec4f,     // of the tangential impulses [m/s]
    tangent_y: vec4f,
    tangent_z: vec4f,
}

// The velocity of a solid's material that is at x a time `lead` after the step's start.
fn solid_velocity(solid: Solid, x: vec3f, lead: f32) -> vec3f {
    return solid.velocity + cross(solid.spin, x - (solid.centre + lead * solid.velocity));
}

// Coulomb's coefficient between a solid and what touches it: the geometric mean, or that of what touches it.
fn solid_friction(solid: Solid, friction: f32) -> f32 {
    return select(sqrt(friction * max(solid.friction, 0.0)), friction, solid.friction < 0.0);
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

// Contact with the solids. x: before the move; v: after the forces. A held particle keeps its own.
fn solids_touched(p: Particle, x: vec3f, v: vec3f, body: Body) -> Touches {
    var t = Touches();
    t.velocity = v;
    if !HAS_SOLIDS || p.inverse_mass == 0.0 {
        return t;
    }
    let places = vec4u(0u, 1u, 2u, 3u);
    var count = 0u;
    for (var k = 0u; k < sim.solid_count; k++) {
        let surface = solid_velocity(externals.solids[k], x, 0.0);
        let distance = solid_distance(externals.solids[k], x, body.radius);
        let n = distance.normal;
        let approach = max(0.0, -dot(v - surface, n));
        if -distance.depth < body.margin + sim.step * approach && count < MAX_TOUCHING {
            let target_speed = min(distance.depth, 0.0) / sim.step;
            let here = places == vec4u(count);
            t.solids = select(t.solids, vec4u(k), here);
            t.friction = select(t.friction, vec4f(solid_friction(externals.solids[k], body.friction)), here);
            t.x = select(t.x, vec4f(n.x), here);
            t.y = select(t.y, vec4f(n.y), here);
            t.z = select(t.z, vec4f(n.z), here);
            t.target_speed = select(t.target_speed, vec4f(target_speed), here);
            t.surface_x = select(t.surface_x, vec4f(surface.x), here);
            t.surface_y = select(t.surface_y, vec4f(surface.y), here);
            t.surface_z = select(t.surface_z, vec4f(surface.z), here);
            count++;
        }
    }
    var u = v;
    for (var round = 0u; round < 2u; round++) {
        for (var k = 0u; k < count; k++) {
            let here = places == vec4u(k);
            let one = select(vec4f(), vec4f(1.0), here);
            let n = vec3f(dot(t.x, one), dot(t.y, one), dot(t.z, one));
            let tangent = vec3f(dot(t.tangent_x, one), dot(t.tangent_y, one), dot(t.tangent_z, one));
            let normal_before = dot(t.normal_impulse, one);
            let relative = u - vec3f(dot(t.surface_x, one), dot(t.surface_y, one), dot(t.surface_z, one));
            let along = dot(relative, n);
            let normal_impulse = max(0.0, normal_before - (along - dot(t.target_speed, one)));
            let wanted = tangent - (relative - along * n);
            let most = dot(t.friction, one) * normal_impulse;
            let tangent_impulse = wanted * min(1.0, most / max(length(wanted), 1e-30));
            u += (normal_impulse - normal_before) * n + tangent_impulse - tangent;
            t.normal_impulse = select(t.normal_impulse, vec4f(normal_impulse), here);
            t.tangent_x = select(t.tangent_x, vec4f(tangent_impulse.x), here);
            t.tangent_y = select(t.tangent_y, vec4f(tangent_impulse.y), here);
            t.tangent_z = select(t.tangent_z, vec4f(tangent_impulse.z), here);
        }
    }
    t.velocity = u;
    t.count = count;
    return t;
}

// The velocity after it.
fn solids_impulse(p: Particle, x: vec3f, v: vec3f, body: Body) -> vec3f {
    return solids_touched(p, x, v, body).velocity;
}

// The position after the move, at the step's end, with a share of what is left inside taken back. A held particle stays where it was.
fn solids_project(p: Particle, x: vec3f, body: Body) -> vec3f {
    if p.inverse_mass == 0.0 {
        return p.position;
    }
    var moved = x;
    if !HAS_SOLIDS {
        return moved;
    }
    for (var k = 0u; k < sim.solid_count; k++) {
        let surface = solid_velocity(externals.solids[k], moved, sim.step);
        let distance = solid_distance(externals.solids[k], moved - sim.step * surface, body.radius);
        moved += min(PROJECTION_SHARE * max(0.0, distance.depth), PROJECTION_SPEED * sim.step) * distance.normal;
    }
    return moved;
}
