// pressure_shift: one thread per particle that takes part in contacts. A step towards where the two sides' pressures
// balance, x += way or x -= way, and the next is half as long: forward where (p_A + p_B).way > 0, p_A the particle's
// own pressure, p_B the mean of those of the features that touch triangles around it, without any the mean over the
// triangles that it touches itself; at a tie the body with the lower index goes forward. [Spillmann & Teschner 2005,
// section 5.2; Kratochvil 2007, ch. 6, with the sign that balances]
// Reads points, contacts, list_first, entries, rows; updates particles_out, shifts; writes status.
#import shared/gather
#import shared/status

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(53) var<storage, read_write> shifts: array<Shift>;

// [N/m^2]; 0 inside a body, where there is no area.
fn pressure(i: u32) -> vec3f {
    let area = shifts[i].area;
    return select(vec3f(), shifts[i].force / max(area, 1e-30), area > 0.0);
}

// Of the point of a side, whose weights add up to `sum`.
fn side_pressure(side: Side, sum: f32) -> vec3f {
    var p = vec3f();
    for (var k = 0u; k < 4u; k++) {
        if side.dofs[k] == NONE {
            break;
        }
        p += side.weights[k] * pressure(side.dofs[k]);
    }
    return sum * p;
}

@compute @workgroup_size(64)
fn pressure_shift(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count || shifts[i].takes_part == 0u {
        return;
    }
    var touching = vec4f();  // of features that touch triangles around i: sum of shares of pressures, of shares
    var touched = vec4f();   // the same of the triangles that i touches
    var opposite = NONE;
    let end = list_first[i + 1u];
    for (var e = list_first[i]; e < end; e++) {
        let entry = entries[e];
        if rows[entry.node >> 3u].push > 0.0 {
            let contact = contacts[entry.node >> 3u];
            let share = abs(entry.weight);
            if is_touched(entry.node) {
                touching += share * vec4f(side_pressure(contact.a, 1.0), 1.0);
                opposite = min(opposite, contact.bodies.x);
            } else {
                touched += share * vec4f(side_pressure(contact.b, -1.0), 1.0);
                opposite = min(opposite, contact.bodies.y);
            }
        }
    }
    let other = select(touched, touching, touching.w > 0.0);
    let along = dot(pressure(i) + other.xyz / max(other.w, 1e-30), shifts[i].way);
    let forward = along > 0.0 || (along == 0.0 && opposite > points[i].body);
    particles_out[i].position += select(-shifts[i].way, shifts[i].way, forward);
    status_way(STATUS_SHIFT, shifts[i].way);
    shifts[i].way *= 0.5;
}
