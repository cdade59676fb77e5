// contact_impulse: one thread per contact. One iteration, all from the same velocities u: v = sum_k w_k u_k,
// W = sum_k w_k^2 c_k/m_k with c_k the number of contacts of participant k, so that they do not overshoot together;
// lambda_n' = max(0, lambda_n - (v.r - v*)/W), lambda_t' = lambda_t - v_t/W clipped to mu lambda_n'
// [Moreau 1988 for the cone; Tonge et al. 2012, section 4, for mass splitting].
// Reads particles_in, particles_free, points, bodies, contacts, rows, impulses_in; writes impulses_out.
#import shared/impulses

@group(0) @binding(46) var<storage, read> particles_free: array<Particle>;
@group(0) @binding(37) var<storage, read> rows: array<u32>;
@group(0) @binding(39) var<storage, read_write> impulses_out: array<vec4f>;

@compute @workgroup_size(64)
fn contact_impulse(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                   @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, groups, lane, 64u);
    if c >= rows[row_records()] {
        return;
    }
    let contact = contacts[c];
    if contact.particles.x == NONE {
        return;
    }
    var v = vec3f();
    var inverse_mass = 0.0;
    for (var k = 0u; k < 5u; k++) {
        let i = participant(contact, k);
        if i != NONE {
            let free = particles_free[i];
            let w = participant_weight(contact, k);
            v += w * velocity_after(i, free);
            inverse_mass += w * w * f32(rows[row_counts(i)] & 0xffffu) * free.inverse_mass;
        }
    }
    let before = impulses_in[c];
    if inverse_mass == 0.0 {
        impulses_out[c] = vec4f();
        return;
    }
    let along = dot(v, contact.normal);
    let normal_impulse = max(0.0, before.w - (along - contact.target_speed) / inverse_mass);
    let wanted = before.xyz - (v - along * contact.normal) / inverse_mass;
    let most = contact.friction * normal_impulse;
    impulses_out[c] = vec4f(wanted * min(1.0, most / max(length(wanted), 1e-30)), normal_impulse);
}
