// sigma [1/s] of one particle: largest eigenvalue of the sum of c n n^T over its springs, over its mass; c = d_C/l0^2. 0 in bodies of other kinds.
#import shared/topology
#import shared/damping

fn rate_gather(p: Particle, point: Point, body: Body) -> f32 {
    if body.loaded != 0u {
        return 0.0;
    }
    var diagonal = vec3f();
    var off = vec3f();
    let count = spring_count(point);
    for (var e = 0u; e < count; e++) {
        let end = spring_at(point, e);
        let d = particles_in[end.other].position - p.position;
        let n = d / max(length(d), 1e-30);
        let c = spring_constants(point, body, e).y * end.inverse_rest * end.inverse_rest;
        diagonal += c * n * n;
        off += c * n.yzx * n.zxy;
    }
    return largest_eigenvalue(diagonal, off) * p.inverse_mass;
}
