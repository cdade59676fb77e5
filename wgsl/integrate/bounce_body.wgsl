// bounce_body: one thread per body, before a step. Its motion as a whole, and its impact on the solids, which meet it at one
// point, the mean of theirs. It bounces where it approaches faster than what rests, and no faster than it is stiff: a body that
// an impact strains by more than BOUNCE_STRAIN squashes first, and what is left of its approach when that is slow enough
// bounces. The speed of its waves follows from its fastest vibration w: of a chain with masses at its mean edge along each axis
// it is edge w/sqrt(12), of lattices with diagonals edge w/6.
// Reads particles_in, chunks, bounce_parts; updates bodies; writes bounce_motions, bounce_changes, bounce_touches.
#import shared/bounce

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(7) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(170) var<storage, read> bounce_parts: array<BouncePart>;
@group(0) @binding(171) var<storage, read_write> bounce_motions: array<BounceMotion>;
@group(0) @binding(172) var<storage, read_write> bounce_changes: array<BounceChange>;
@group(0) @binding(173) var<storage, read_write> bounce_touches: array<TouchSum>;

// What rounding leaves of a pivot, as a part of the matrix: two particles in a line have nothing to turn about it.
const ROUNDING: f32 = 1e-6;

fn sum_of(first: u32, end: u32) -> BouncePart {
    var s = BouncePart(vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f());
    for (var c = first; c < end; c++) {
        let part = bounce_parts[c];
        let most = select(vec2f(s.normal.w, s.surface.w), vec2f(part.normal.w, part.surface.w), part.normal.w > s.normal.w);
        s = BouncePart(s.place + part.place, s.momentum + part.momentum, s.spin + part.spin, s.square + part.square,
                       s.square_off + part.square_off, s.contact + part.contact, s.normal + part.normal,
                       s.surface + part.surface);
        s.normal.w = most.x;
        s.surface.w = most.y;
    }
    return s;
}

// The motion of free particles with these sums of masses, centre c from where r begins.
fn turning(motion: BounceMotion, s: BouncePart, c: vec3f, mass: f32) -> BounceMotion {
    var m = motion;
    let squares = s.square.xyz - mass * c * c;
    let off = mass * c.yzx * c.zxy - s.square_off.xyz;
    let d = squares.yzx + squares.zxy;
    let size = s.square.x + s.square.y + s.square.z + mass * dot(c, c);
    let inertia = d.x + d.y + d.z;
    if inertia > ROUNDING * size {
        let least = ROUNDING * inertia;
        let pivots = max(symmetric_pivots(d, off, least), vec3f(least));
        let inverse = symmetric_part(mat3x3f(symmetric_solve(pivots, off, vec3f(1.0, 0.0, 0.0)),
                                             symmetric_solve(pivots, off, vec3f(0.0, 1.0, 0.0)),
                                             symmetric_solve(pivots, off, vec3f(0.0, 0.0, 1.0))));
        m.inverse_inertia = inverse.d;
        m.inverse_inertia_off = inverse.o;
        m.spin = bounce_spun(m, s.spin.xyz - cross(c, s.momentum.xyz));
    }
    return m;
}

// The greatest approach at which it bounces as a whole [m/s].
fn bounce_speed(body: Body, s: BouncePart, c: vec3f, mass: f32, count: f32) -> f32 {
    if count <= 1.0 || s.momentum.w == count {
        return 3e38;
    }
    var length = body.edge / 6.0;
    if body.kind == KIND_SHAPE {
        // Clusters are pulled as wholes: side w/pi, a cube's side by its second moment.
        let square = (s.square.x + s.square.y + s.square.z) / max(mass, 1e-30) - dot(c, c);
        length = 0.6366 * sqrt(max(square, 0.0));
    }
    return BOUNCE_STRAIN * length * sqrt(body.stiffness_rate);
}

@compute @workgroup_size(64)
fn bounce_body(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
               @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    let body = bodies[i];
    let end = body.chunk_first + body.chunk_count;
    var m = BounceMotion();
    bounce_changes[i] = BounceChange(vec3f(), 0.0, vec3f(), 0u, vec3f(), 0.0);
    if body.chunk_count == 0u {
        bounce_motions[i] = m;
        return;
    }
    let s = sum_of(body.chunk_first, end);
    m.first = chunks[body.chunk_first].first;
    m.end = chunks[end - 1u].end;
    m.meets = body.touching;
    m.impact = body.impact & IMPACT_BODIES;
    m.radius = body.radius;
    let mass = s.place.w;
    let c = s.place.xyz / max(mass, 1e-30);
    let origin = particles_in[m.first].position;
    m.centre = origin + c;
    m.stiff_speed = bounce_speed(body, s, c, mass, f32(m.end - m.first));
    if s.momentum.w > 0.0 || mass <= 0.0 {
        bodies[i].impact = 0u;
        bounce_motions[i] = m;
        return;
    }
    m.inverse_mass = 1.0 / mass;
    m.velocity = s.momentum.xyz / mass;
    m = turning(m, s, c, mass);
    var impact = 0u;
    let across = length(s.normal.xyz);
    if s.contact.w > 0.0 && across > 0.5 * s.contact.w {
        let place = origin + s.contact.xyz / s.contact.w;
        let at = Impact(place, body.restitution, s.normal.xyz / across, body.friction);
        var solid = BounceMotion();
        solid.centre = place;
        solid.velocity = s.surface.xyz / s.contact.w;
        let approach = -dot(bounce_velocity(m, place) - solid.velocity, at.normal);
        if approach > sim.restitution_speed && approach <= m.stiff_speed {
            let impulse = bounce_impulse(m, solid, at, vec2f(1.0, 0.0));
            let kick = m.inverse_mass * impulse;
            let turn = bounce_spun(m, cross(place - m.centre, impulse));
            m.velocity += kick;
            m.spin += turn;
            bounce_changes[i] = BounceChange(kick, 1.0, turn, 1u, m.centre, 0.0);
            bounce_touches[BOUNCE_TOUCHES * i] = TouchSum(impulse, dot(impulse, at.normal), place, 0.0, at.normal, 1u, i,
                                                          TOUCH_SOLID | u32(s.surface.w), 0u, 0u);
        } else if approach > sim.restitution_speed {
            impact = IMPACT_SOLIDS;
        }
    }
    bodies[i].impact = impact;
    bounce_motions[i] = m;
}
