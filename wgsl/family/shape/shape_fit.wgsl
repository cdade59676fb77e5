// shape_fit: one thread per chunk, at most 64 members of a cluster. Sums w e q^T ... over them [Mueller et al. 2005, eq. 6
// and 15; e: what a member is off the last rigid goal]. A cluster of one chunk is solved here at once; of others the
// chunk's sums are left for shape_solve.
// A chunk is four words of members (first, count, cluster, where its sums go); entry e of it lies at first + 64 e.
// Reads particles_in, rests, members, clusters, fits, bodies; updates cluster_states; writes goals.
#import shared/shape

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(70) var<storage, read> rests: array<vec4f>;
@group(0) @binding(71) var<storage, read> members: array<u32>;

// Leaves the sums of a chunk for shape_solve.
fn leave(m: Moments, anchor: Particle, row: u32) {
    goals[row] = vec4f(m.linear[0], anchor.position.x);
    goals[row + 1u] = vec4f(m.linear[1], anchor.position.y);
    goals[row + 2u] = vec4f(m.linear[2], anchor.position.z);
    goals[row + 3u] = vec4f(m.squares[0], anchor.velocity.x);
    goals[row + 4u] = vec4f(m.squares[1], anchor.velocity.y);
    goals[row + 5u] = vec4f(m.squares[2], anchor.velocity.z);
    goals[row + 6u] = vec4f(m.products[0], 0.0);
    goals[row + 7u] = vec4f(m.products[1], 0.0);
    goals[row + 8u] = vec4f(m.products[2], 0.0);
    goals[row + 9u] = vec4f(m.shift, 0.0);
    goals[row + 10u] = vec4f(m.velocity, 0.0);
    goals[row + 11u] = vec4f(m.spin, 0.0);
    goals[row + 12u] = vec4f(m.spread.d, 0.0);
    goals[row + 13u] = vec4f(m.spread.o, 0.0);
}

@compute @workgroup_size(64)
fn shape_fit(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.cluster_chunk_count {
        return;
    }
    let first = members[4u * i];
    let count = members[4u * i + 1u];
    let k = members[4u * i + 2u];
    let place = members[4u * i + 3u];
    let cluster = clusters[k];
    let anchor = particles_in[cluster.anchor];
    let quadratic = cluster_mode(cluster) == SHAPE_QUADRATIC;
    let moving = cluster_moving(bodies[cluster.body]);
    let whiten = cluster_whiten(cluster);
    let means = cluster_means(cluster);
    let state = cluster_states[k];
    let frame = cluster_frame(state);
    let spin = cluster_spin(state);
    let none = mat3x3f(vec3f(), vec3f(), vec3f());
    var m = Moments(none, none, none, vec3f(), vec3f(), vec3f(), Symmetric(vec3f(), vec3f()));
    for (var e = 0u; e < count; e++) {
        let j = members[first + e * SLICE];
        let rest = rests[j];
        let d = particles_in[j].position - anchor.position;
        let q = rest.xyz - cluster.origin;
        let we = rest.w * (d - frame * q);
        m.shift += we;
        m.linear += matrix_outer(we, q);
        if quadratic {
            let s = whiten * (q - cluster.centre);
            m.squares += matrix_outer(we, s * s - means.d);
            m.products += matrix_outer(we, s * s.yzx - means.o);
        }
        if moving {
            let wd = rest.w * d;
            let u = particles_in[j].velocity - anchor.velocity - cross(spin, d);
            m.velocity += rest.w * u;
            m.spin += cross(wd, u);
            m.spread.d += wd * d;
            m.spread.o += wd.yzx * d.zxy;
        }
    }
    if place == NONE {
        cluster_solve(k, cluster, m, anchor.position, anchor.velocity);
        return;
    }
    leave(m, anchor, (sim.cluster_count + place) * GOAL_ROWS);
}
