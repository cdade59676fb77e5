// bounce_sum: one thread per chunk of one body's particles, before a step. Its part of the sums of the body's mass, momentum,
// angular momentum and second moments, and of where solids meet it in this step: with v + h g a particle closes more than its
// gap. These weigh with their mass and approach; in an impact that goes on from the step before all that touch count, with
// their mass. The solid that meets one particle most stands for all of them in contact events. Places r begin at the body's first particle.
// Reads particles_in, points, bodies, chunks; writes bounce_parts.
#import shared/solids

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(170) var<storage, read_write> bounce_parts: array<BouncePart>;

@compute @workgroup_size(64)
fn bounce_sum(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
              @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, groups, lane, 64u);
    if c >= sim.chunk_count {
        return;
    }
    let chunk = chunks[c];
    var sum = BouncePart(vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f());
    let body = bodies[points[chunk.first].body];
    let origin = particles_in[chunks[body.chunk_first].first].position;
    for (var i = chunk.first; i < chunk.end; i++) {
        let p = particles_in[i];
        if p.inverse_mass <= 0.0 {
            sum.momentum.w += 1.0;
            continue;
        }
        let m = 1.0 / p.inverse_mass;
        let r = p.position - origin;
        sum.place += vec4f(m * r, m);
        sum.momentum += vec4f(m * p.velocity, 0.0);
        sum.spin += vec4f(m * cross(r, p.velocity), 0.0);
        sum.square += vec4f(m * r * r, 0.0);
        sum.square_off += vec4f(m * r.yzx * r.zxy, 0.0);
        if !HAS_SOLIDS || body.restitution < 0.0 {
            continue;
        }
        for (var k = 0u; k < sim.solid_count; k++) {
            let surface = solid_velocity(externals.solids[k], p.position, 0.0);
            let distance = solid_distance(externals.solids[k], p.position, body.radius);
            let approach = -dot(p.velocity + sim.step * sim.gravity - surface, distance.normal);
            var weight = select(0.0, m * approach, sim.bounce_steps * sim.step * approach > max(-distance.depth, 0.0));
            if (body.impact & IMPACT_SOLIDS) != 0u {
                weight = select(0.0, m, -distance.depth < body.margin + sim.bounce_steps * sim.step * max(approach, 0.0));
            }
            if weight > sum.normal.w {
                sum.normal.w = weight;
                sum.surface.w = f32(k);
            }
            sum.contact += vec4f(weight * (r - body.radius * distance.normal), weight);
            sum.normal += vec4f(weight * distance.normal, 0.0);
            sum.surface += vec4f(weight * surface, 0.0);
        }
    }
    bounce_parts[c] = sum;
}
