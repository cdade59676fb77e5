// One iteration of a contact's impulse, from velocities in which `start` already acts: v = sum_k w_k u_k,
// W = sum_k |w_k| s_k/m_k with s_k the load of participant k: the sum of the magnitudes of a row of the matrix that
// couples the contacts, so that all together do not overshoot (Gershgorin 1931);
// lambda_n' = max(0, lambda_n - (v.r - v*)/W), lambda_t' = lambda_t - v_t/W clipped to mu lambda_n'
// [Moreau 1988 for the cone; Tonge et al. 2012 for splitting masses]. Solids act on u, too.
#import shared/rows
#import shared/solids

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> rows: array<u32>;

fn impulse_next(contact: Contact, start: Impulse) -> Impulse {
    var impulse = start;
    var v = vec3f();
    var inverse_mass = 0.0;
    let lead = select(0.0, sim.step, collide.moved != 0u);
    for (var k = 0u; k < 5u; k++) {
        let i = participant(contact, k);
        if i != NONE {
            let free = particles_in[i];
            let w = participant_weight(contact, k);
            v += w * solids_impulse(free, free.position, lead, free.velocity, bodies[points[i].body]);
            inverse_mass += abs(w) * load_of(rows[row_load(i)]) * free.inverse_mass;
        }
    }
    if inverse_mass > 0.0 {
        let along = dot(v, contact.normal);
        let wanted = impulse.tangent - (v - along * contact.normal) / inverse_mass;
        impulse.normal = max(0.0, impulse.normal - (along - contact.target_speed) / inverse_mass);
        impulse.tangent = wanted * min(1.0, contact.friction * impulse.normal / max(length(wanted), 1e-30));
        impulse.normal_change += impulse.normal - start.normal;
        impulse.tangent_change += length(impulse.tangent - start.tangent);
    }
    return impulse;
}
