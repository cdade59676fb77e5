// contact_impulse: one thread per record. One iteration, all from the same velocities u, in which the impulses of the last
// step already act: v = sum_k w_k u_k, W = sum_k |w_k| s_k/m_k with s_k the load of participant k: the sum of the
// magnitudes of a row of the matrix that couples the contacts, so that all together do not overshoot (Gershgorin 1931); lambda_n' = max(0, lambda_n - (v.r - v*)/W), lambda_t' = lambda_t - v_t/W clipped to
// mu lambda_n' [Moreau 1988 for the cone; Tonge et al. 2012 for splitting masses]. Solids act on u, too.
// Reads particles_in, points, bodies, contacts, rows, impulses_warm; writes impulses.
#import shared/rows
#import shared/solids

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> rows: array<u32>;
@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;
@group(0) @binding(39) var<storage, read> impulses_warm: array<Impulse>;

@compute @workgroup_size(64)
fn contact_impulse(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                   @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, groups, lane, 64u);
    if c >= min(rows[row_records()], collide.capacity) {
        return;
    }
    let contact = contacts[c];
    var impulse = impulses_warm[c];
    if contact.particles.x == NONE {
        impulses[c] = impulse;
        return;
    }
    var v = vec3f();
    var inverse_mass = 0.0;
    for (var k = 0u; k < 5u; k++) {
        let i = participant(contact, k);
        if i != NONE {
            let free = particles_in[i];
            let w = participant_weight(contact, k);
            if free.inverse_mass > 0.0 {
                v += w * solids_impulse(free.position, free.velocity, free.velocity, bodies[points[i].body]);
            }
            inverse_mass += abs(w) * load_of(rows[row_load(i)]) * free.inverse_mass;
        }
    }
    if inverse_mass > 0.0 {
        let along = dot(v, contact.normal);
        let wanted = impulse.tangent - (v - along * contact.normal) / inverse_mass;
        impulse.normal = max(0.0, impulse.normal - (along - contact.target_speed) / inverse_mass);
        impulse.tangent = wanted * min(1.0, contact.friction * impulse.normal / max(length(wanted), 1e-30));
    }
    impulses[c] = impulse;
}
