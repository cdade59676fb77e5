// B w for the field w that the sweeps carry (xyz [m/s], w unused).
#import shared/sweep

@group(0) @binding(12) var<storage, read> sweep_in: array<vec4f>;

fn sweep_gather(i: u32, p: Particle, point: Point, body: Body) -> vec3f {
    let w = sweep_in[i].xyz;
    let sweep = sweep_begin(p, body);
    if !sweep.swept {
        return w;
    }
    if (body.loaded & LOADED_CHANGES) != 0u {
        return sweep_loaded(sweep, i, w);
    }
    var sum = vec3f();
    let count = spring_count(point);
    for (var e = 0u; e < count; e++) {
        let end = spring_at(point, e);
        let damping = spring_constants(point, body, e).y;
        sum += sweep_spring(sweep, p, particles_in[end.other], end, damping, sweep_in[end.other].xyz - w);
    }
    return sweep_finish(sweep, p, w, sum);
}
