// contact_prepare: one thread per record. A contact keeps its sides and direction until contacts are found anew; its gap
// follows its participants: g = reach - sum_k w_k x_k.r. Its row for the step: that, how far it is to be pushed apart, W =
// sum_k |w_k| s_k/m_k with s_k the load of participant k, the sum of the magnitudes of a row of the matrix that couples the
// contacts, so that all together do not overshoot [Gershgorin 1931; Tonge et al. 2012 for splitting masses]; and the impulse
// that it starts from, that of the last step. Counts what there is. There are two classes of numbers. Particles alone: b =
// max(0, -g)/h, kappa = 1, what is inside is pushed apart, and an impulse that grows gives a part of that back [shared/warm].
// With a pose: b as long as there is a gap, else [shared/soft_contact]; it shares the pose by the smaller mass of the two, or
// by none where it is not going to act. Of two poses manifold_prepare sees to.
// Reads particles_in, poses, contact_lists, contacts, impulses; writes impulses_warm_start, rows, status.
#import shared/contact_lists
#import shared/warm
#import shared/pose
#import shared/soft_contact
#import shared/tally

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(38) var<storage, read> impulses: array<Impulse>;
@group(0) @binding(39) var<storage, read_write> impulses_warm_start: array<Impulse>;
@group(0) @binding(56) var<storage, read_write> rows: array<Row>;

// How far a contact's two sides are moved apart in this step [m]: gently, or in the source's mode all of the estimate.
fn contact_push(contact: Contact, gap: f32) -> f32 {
    let depth = max(0.0, gap - SLOP * contact.size);
    let gently = sim.step * min(depth / PROJECTION_TIME, PROJECTION_SPEED);
    return select(gently, max(0.0, contact.gap), collide.source != 0u);
}

// A point of a side that is a pose.
fn point_of_pose(side: Side) -> vec3f {
    let pose = poses[side.dofs.x - sim.particle_count];
    return pose.position + rotate(pose.rotation, side.weights.xyz);
}

// What a pose makes of a row: the numbers of its class, and its share where it is going to act.
fn with_pose(contact: Contact, of_particles: Row, acts: bool) -> Row {
    var row = of_particles;
    var pose = poses[max(contact.b.dofs.x, sim.particle_count) - sim.particle_count];
    if is_pose(contact.a.dofs.x) {
        pose = poses[contact.a.dofs.x - sim.particle_count];
    }
    let lighter = max(row.inverse_mass, pose.inverse_mass);
    row.share = select(0.0, 1.0 / max(lighter, 1e-30), acts && lighter > 0.0);
    row.push = 0.0;
    if row.gap > 0.0 {
        let turn = soft_turn(min(row.inverse_mass, pose.inverse_mass) == 0.0);
        row.bias = soft_bias(turn, row.gap, sim.step);
        row.kappa = soft_kappa(turn);
    }
    return row;
}

fn begin_step() {
    atomicAdd(&status[STATUS_SEARCHES], contact_lists[LIST_SEARCH]);
    atomicMax(&status[STATUS_TOUCHING], contact_lists[LIST_TOUCHING]);
    atomicMax(&status[STATUS_RECORDS], contact_lists[LIST_RECORDS]);
    atomicMax(&status[STATUS_SLICES], contact_lists[LIST_LONG]);
    // Of two poses; the others are counted as they are prepared.
    atomicAdd(&status[step_words() + STEP_CONTACTS], contact_lists[LIST_TOUCHED]);
}

fn prepare(c: u32) {
    let contact = contacts[c];
    if is_manifold(contact) {
        return;
    }
    let rigid = is_contact(contact) && (is_pose(contact.a.dofs.x) || is_pose(contact.b.dofs.x));
    var start = impulses_warm_start[c];
    if contact_lists[LIST_AGE] > 0u {
        start = warm(impulses[c], rigid);
        impulses_warm_start[c] = start;
    }
    let is_point = contact.feature_a < sim.particle_count;
    if is_point && (c == 0u || contacts[max(c, 1u) - 1u].feature_a != contact.feature_a) {
        tally(STEP_POINTS, 1u);
        tally(select(STEP_OVERFLOWED, STEP_DROPPED, contact.reach > 0.0), contact.missed & ~(UNREACHED | IN_FRONT));
    }
    if !is_contact(contact) {
        tally(STEP_LOST, select(0u, 1u, is_point && (contact.missed & IN_FRONT) == 0u));
        atomicMax(&status[STATUS_SWEEPS], select(0u, 1u, (contact.missed & UNREACHED) != 0u));
        return;
    }
    var origin = vec3f();
    if is_pose(contact.a.dofs.x) {
        origin = point_of_pose(contact.a);
    } else {
        origin = particles_in[contact.a.dofs.x].position;
    }
    var x = vec3f();
    var v = vec3f();
    var point = vec3f();
    var ahead = vec3f();
    var inverse_mass = 0.0;
    let count = participants(contact);
    for (var k = 0u; k < count.y; k++) {
        let part = participant(contact, count, k);
        if is_pose(part.i) {
            let pose = poses[part.i - sim.particle_count];
            if k > 0u {
                x -= point_of_pose(contact.b) - origin;
            }
            v += part.weight * (pose.velocity + cross(pose.spin, origin - pose.position));
            ahead -= pose.velocity;
        } else {
            let p = particles_in[part.i];
            x += part.weight * (p.position - origin);
            v += part.weight * p.velocity;
            let weight = select(part.weight, -part.weight, is_touched(part.place));
            point += weight * (p.position - origin);
            ahead += weight * p.velocity;
            inverse_mass += abs(part.weight) * load_of(contact_lists[list_load(part.i)]) * p.inverse_mass;
        }
    }
    let gap = contact.reach - dot(x, contact.normal);
    let delta = start.normal * contact.normal + start.tangent;
    let bias = max(0.0, -gap) / sim.step;
    var row = Row(delta, inverse_mass, vec3f(), 0.0, gap, contact_push(contact, gap), bias, 1.0);
    if rigid {
        // Where a mean velocity moves particles, an impulse acts on both sides as they are on the way [pose_mean].
        row.point = origin + point + ((1.0 - sim.contact_share) * sim.step) * ahead;
        row = with_pose(contact, row, start.normal > 0.0 || -gap < -sim.step * dot(v, contact.normal));
    }
    rows[c] = row;
    tally(STEP_CONTACTS, 1u);
    tally_depth(gap, contact.size);
}

@compute @workgroup_size(64)
fn contact_prepare(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c == 0u {
        begin_step();
    }
    tally_begin(lane);
    workgroupBarrier();
    if c < min(contact_lists[LIST_RECORDS], collide.capacity) {
        prepare(c);
    }
    workgroupBarrier();
    tally_end(lane);
}
