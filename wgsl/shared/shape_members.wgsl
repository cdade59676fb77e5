// Terms of the sums over a cluster's members [shared/shape].
#import shared/shape

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(70) var<storage, read> rests: array<vec4f>;
@group(0) @binding(71) var<storage, read> members: array<u32>;

// What all members of a cluster are measured by.
struct Measure {
    cluster: Cluster,
    anchor: Particle,
    quadratic: bool,
    moving: bool,
    whiten: mat3x3f,
    means: Symmetric,
    frame: mat3x3f,
    spin: vec3f,
}

fn cluster_measure(k: u32) -> Measure {
    let cluster = clusters[k];
    let state = cluster_states[k];
    return Measure(cluster, particles_in[cluster.anchor], cluster_mode(cluster) == SHAPE_QUADRATIC,
                   cluster_moving(bodies[cluster.body]), cluster_whiten(cluster), cluster_means(cluster),
                   cluster_frame(state), cluster_spin(state));
}

// Adds member j.
fn add_member(by: Measure, j: u32, m: ptr<function, Moments>) {
    let rest = rests[j];
    let d = particles_in[j].position - by.anchor.position;
    let q = rest.xyz - by.cluster.origin;
    let we = rest.w * (d - by.frame * q);
    (*m).shift += we;
    (*m).linear += matrix_outer(we, q);
    if by.quadratic {
        let s = by.whiten * (q - by.cluster.centre);
        (*m).squares += matrix_outer(we, s * s - by.means.d);
        (*m).products += matrix_outer(we, s * s.yzx - by.means.o);
    }
    if by.moving {
        let wd = rest.w * d;
        let u = particles_in[j].velocity - by.anchor.velocity - cross(by.spin, d);
        (*m).velocity += rest.w * u;
        (*m).turn += matrix_outer(u, wd);
        (*m).spread.d += wd * d;
        (*m).spread.o += wd.yzx * d.zxy;
    }
}
