// The velocity of a particle under the impulses of its contacts and against solids.
#import shared/rows
#import shared/solids

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(38) var<storage, read> impulses_in: array<vec4f>;

// Sum over the particle's contacts, in their order, of w (lambda_n r + lambda_t) [kg m/s].
fn impulse_sum(i: u32) -> vec3f {
    var sum = vec3f();
    var node = rows[row_head(i)];
    for (var k = 0u; k < MAX_LIST; k++) {
        if node == NONE {
            break;
        }
        let c = node >> 3u;
        let impulse = impulses_in[c];
        sum += participant_weight(contacts[c], node & 7u) * (impulse.w * contacts[c].normal + impulse.xyz);
        node = rows[row_next(node)];
    }
    return sum;
}

// free: the particle after the forces, not yet moved.
fn velocity_after(i: u32, free: Particle) -> vec3f {
    if free.inverse_mass == 0.0 {
        return free.velocity;
    }
    let u = free.velocity + free.inverse_mass * impulse_sum(i);
    return solids_impulse(free.position, particles_in[i].velocity, u, bodies[points[i].body]);
}
