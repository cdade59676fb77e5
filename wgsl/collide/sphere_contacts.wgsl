// sphere_contacts: one thread per particle. The contacts of each sphere with its partners: two spheres along the line of
// their centres, a sphere and a triangle along the line from the closest point; g = reach - distance.
// Reads particles_in, points, bodies, triangles, sphere_hits, record_first; writes contacts.
#import shared/sphere
#import shared/sphere_triangle
#import shared/contact

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(35) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(81) var<storage, read> sphere_hits: array<u32>;
@group(0) @binding(82) var<storage, read> triangles: array<vec4u>;

fn with_sphere(i: u32, own: Body, j: u32) -> Contact {
    let other = points[j].body;
    let d = particles_in[i].position - particles_in[j].position;
    let s = length(d);
    var contact = contact_begun(i, other);
    contact.normal = select(vec3f(0.0, 1.0, 0.0), d / max(s, 1e-30), s > 0.0);
    contact.reach = own.radius + bodies[other].radius;
    contact.gap = contact.reach - s;
    contact.particles = vec4u(i, j, NONE, NONE);
    contact.weights = vec4f(1.0, -1.0, 0.0, 0.0);
    contact.partner = sim.body_count + j;
    return contact;
}

fn with_triangle(i: u32, own: Body, t: u32) -> Contact {
    let triangle = triangles[t];
    let near = sphere_near(particles_in[i].position, particles_in[triangle.x].position,
                           particles_in[triangle.y].position, particles_in[triangle.z].position, 1e-6 * own.edge);
    var contact = contact_begun(i, triangle.w);
    contact.normal = near.normal;
    contact.reach = own.radius;
    contact.gap = contact.reach - near.distance;
    contact.particles = vec4u(i, triangle.xyz);
    contact.weights = vec4f(1.0, -near.weights);
    return contact;
}

@compute @workgroup_size(64)
fn sphere_contacts(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                   @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let own = bodies[points[i].body];
    if !(own.radius > 0.0) {
        return;
    }
    let first = record_first[i];
    let end = min(record_first[i + 1u], collide.capacity);
    for (var r = first; r < end; r++) {
        let word = sphere_hits[sphere_hit(i, r - first)];
        var contact = Contact();
        if word < TRIANGLE_BIT {
            contact = with_sphere(i, own, word);
        } else {
            contact = with_triangle(i, own, word & ~TRIANGLE_BIT);
        }
        contact.crowded = sphere_hits[sphere_hit(i, MAX_SPHERE_HITS)];
        contacts[r] = contact;
    }
}
