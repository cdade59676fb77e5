// sphere_contacts: one thread per particle. The contacts of each sphere with its partners: two spheres along the line of
// their centres, a sphere and a triangle along the line from the closest point; g = reach - distance.
// Reads particles_in, points, bodies, triangles, sphere_hits, record_first; writes contacts.
#import shared/sphere_list
#import shared/sphere_surface
#import shared/contact

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(35) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(81) var<storage, read> sphere_hits: array<u32>;

fn with_sphere(i: u32, own: Body, j: u32) -> Contact {
    let other = points[j].body;
    let d = particles_in[i].position - particles_in[j].position;
    let s = length(d);
    var contact = contact_begun(i, points[i].body, other);
    contact.normal = select(vec3f(0.0, 1.0, 0.0), d / max(s, 1e-30), s > 0.0);
    contact.reach = own.radius + bodies[other].radius;
    contact.gap = contact.reach - s;
    contact.a = Side(vec4u(i, NONE, NONE, NONE), vec4f(1.0, 0.0, 0.0, 0.0));
    contact.b = Side(vec4u(j, NONE, NONE, NONE), vec4f(-1.0, 0.0, 0.0, 0.0));
    contact.feature_b = sim.body_count + j;
    return contact;
}

fn with_triangle(i: u32, own: Body, t: u32) -> Contact {
    let triangle = triangles[2u * t];
    let near = near_triangle(particles_in[i].position, own, t);
    var contact = contact_begun(i, points[i].body, triangle.w);
    contact.normal = near.normal;
    contact.reach = own.radius;
    contact.gap = contact.reach - near.distance;
    contact.a = Side(vec4u(i, NONE, NONE, NONE), vec4f(1.0, 0.0, 0.0, 0.0));
    contact.b = Side(vec4u(triangle.xyz, NONE), vec4f(-near.weights, 0.0));
    contact.feature_b = sim.body_count + sim.particle_count + t;
    return contact;
}

@compute @workgroup_size(64)
fn sphere_contacts(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let own = bodies[points[i].body];
    if !(own.radius > 0.0) {
        return;
    }
    var left = sphere_hits[list_mask(i)];
    let end = min(record_first[i + 1u], collide.capacity);
    for (var r = record_first[i]; r < end; r++) {
        let place = firstTrailingBit(left);
        left &= left - 1u;
        let word = sphere_hits[SPHERE_STRIDE * i + place];
        var contact = Contact();
        if place < MAX_SPHERE_HITS {
            contact = with_sphere(i, own, word);
        } else {
            contact = with_triangle(i, own, word);
        }
        contact.missed = sphere_hits[list_dropped(i)];
        contacts[r] = contact;
    }
}
