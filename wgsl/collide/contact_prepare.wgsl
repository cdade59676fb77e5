// contact_prepare: one thread per record. A contact keeps its sides and direction until contacts are found anew; its gap
// follows its participants: g = reach - sum_k w_k x_k.r. Its row for the step: that, how far it is to be pushed apart,
// W = sum_k |w_k| s_k/m_k with s_k the load of participant k, the sum of the magnitudes of a row of the matrix that couples
// the contacts, so that all together do not overshoot [Gershgorin 1931; Tonge et al. 2012 for splitting masses], of a pose
// 1/m + (a x d).I^-1 (a x d) along d, a the arm; and the impulse that it starts from, that of the last step. Counts what there is.
// There are two classes of numbers. Particles alone: b = max(0, -g)/h, kappa = 1, what is inside is pushed apart, and an impulse
// that grows gives a part of that back [shared/warm]. With a pose: b as long as there is a gap; what is inside is parted by a
// spring of frequency f and damping ratio z, b = -min(w g/a, RIGID_SPEED), kappa = h w a/(1 + h w a) with w = 2 pi f,
// a = 2 z + h w [the soft contacts of Catto 2011].
// Reads particles_in, poses, contact_lists, contacts, impulses; writes impulses_warm_start, rows, status.
#import shared/contact_lists
#import shared/warm
#import shared/pose

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(38) var<storage, read> impulses: array<Impulse>;
@group(0) @binding(39) var<storage, read_write> impulses_warm_start: array<Impulse>;
@group(0) @binding(56) var<storage, read_write> rows: array<Row>;

// How far a contact's two sides are moved apart in this step [m]: gently, or in the source's mode all of the estimate.
fn contact_push(contact: Contact, gap: f32) -> f32 {
    if collide.source != 0u {
        return max(0.0, contact.gap);
    }
    let depth = max(0.0, gap - SLOP * contact.size);
    return sim.step * min(depth / PROJECTION_TIME, PROJECTION_SPEED);
}

// A point of a side that is a pose.
fn point_of_pose(side: Side) -> vec3f {
    let pose = poses[side.dofs.x - sim.particle_count];
    return pose.position + rotate(pose.rotation, side.weights.xyz);
}

// Of a side that is a pose: how a velocity at the point follows an impulse there, along the normal, and across it at most.
fn mobility_of_pose(side: Side, point: vec3f, normal: vec3f) -> vec2f {
    let pose = poses[side.dofs.x - sim.particle_count];
    let arm = point - pose.position;
    let turn = cross(arm, normal);
    let along = pose.inverse_mass + dot(turn, inverse_inertia_times(pose, turn));
    let across = pose.inverse_mass + dot(arm, arm) * least_inertia(pose);
    return load_of(contact_lists[list_load(side.dofs.x)]) * vec2f(along, across);
}

// What poses make of a row with a gap: where it acts, how it moves, and the numbers of its class.
fn with_poses(contact: Contact, of_particles: Row) -> Row {
    var row = of_particles;
    let poses_of = vec2<bool>(is_pose(contact.a.dofs.x), is_pose(contact.b.dofs.x));
    var moves = vec2f(row.inverse_mass, 0.0);
    if all(poses_of) {
        row.point = 0.5 * (point_of_pose(contact.a) + point_of_pose(contact.b));
        moves.x = 0.0;
    }
    for (var k = 0u; k < 2u; k++) {
        if poses_of[k] {
            var side = contact.b;
            if k == 0u {
                side = contact.a;
            }
            let mobility = mobility_of_pose(side, row.point, contact.normal);
            row.inverse_mass += mobility.x;
            row.slide_inverse_mass += mobility.y;
            moves = select(vec2f(mobility.x, moves.x), vec2f(moves.x, mobility.x), k == 1u);
        }
    }
    row.push = 0.0;
    if row.gap > 0.0 {
        let frequency = select(1.0, 2.0, min(moves.x, moves.y) == 0.0) * RIGID_FREQUENCY;
        // h w and a
        let turn = 2.0 * PI * frequency;
        let a = 2.0 * RIGID_DAMPING + turn;
        row.bias = -min(turn / (a * sim.step) * row.gap, RIGID_SPEED);
        row.kappa = turn * a / (1.0 + turn * a);
    }
    return row;
}

// What the workgroup counts of the step, so that few threads add to words that all share.
var<workgroup> tallies: array<atomic<u32>, STEP_WORDS>;

fn tally(word: u32, amount: u32) {
    atomicAdd(&tallies[word], amount);
}

fn begin_step() {
    atomicMax(&status[STATUS_SEARCHES], contact_lists[LIST_SEARCH]);
    atomicMax(&status[STATUS_TOUCHING], contact_lists[LIST_TOUCHING]);
    atomicMax(&status[STATUS_RECORDS], contact_lists[LIST_RECORDS]);
    atomicMax(&status[STATUS_SLICES], contact_lists[LIST_LONG]);
}

fn prepare(c: u32) {
    let contact = contacts[c];
    let rigid = is_contact(contact) && (is_pose(contact.a.dofs.x) || is_pose(contact.b.dofs.x));
    var start = impulses_warm_start[c];
    if contact_lists[LIST_AGE] > 0u {
        start = warm(impulses[c], rigid);
        impulses_warm_start[c] = start;
    }
    let is_point = contact.feature_a < sim.particle_count;
    if is_point && (c == 0u || contacts[max(c, 1u) - 1u].feature_a != contact.feature_a) {
        tally(STEP_POINTS, 1u);
        tally(select(STEP_OVERFLOWED, STEP_DROPPED, contact.reach > 0.0), contact.missed & ~UNREACHED);
    }
    if !is_contact(contact) {
        tally(STEP_LOST, select(0u, 1u, is_point));
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
    var point = vec3f();
    var inverse_mass = 0.0;
    let count = participants(contact);
    for (var k = 0u; k < count.y; k++) {
        let part = participant(contact, count, k);
        if is_pose(part.i) {
            if k > 0u {
                x -= point_of_pose(contact.b) - origin;
            }
        } else {
            let p = particles_in[part.i];
            x += part.weight * (p.position - origin);
            point += abs(part.weight) * (p.position - origin);
            inverse_mass += abs(part.weight) * load_of(contact_lists[list_load(part.i)]) * p.inverse_mass;
        }
    }
    let gap = contact.reach - dot(x, contact.normal);
    let delta = start.normal * contact.normal + start.tangent;
    let bias = max(0.0, -gap) / sim.step;
    var row = Row(delta, inverse_mass, vec3f(), inverse_mass, gap, contact_push(contact, gap), bias, 1.0);
    if rigid {
        row.point = origin + point;
        row = with_poses(contact, row);
    }
    rows[c] = row;
    tally(STEP_CONTACTS, 1u);
    if gap > 0.0 {
        let depth = gap / contact.size;
        tally(STEP_INSIDE, 1u);
        tally(STEP_DEPTH, u32(min(depth, 1e3) * DEPTH_UNIT));
        atomicMax(&tallies[STEP_DEEPEST], bitcast<u32>(depth));
    }
}

@compute @workgroup_size(64)
fn contact_prepare(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c == 0u {
        begin_step();
    }
    if lane < STEP_WORDS {
        atomicStore(&tallies[lane], 0u);
    }
    workgroupBarrier();
    if c < min(contact_lists[LIST_RECORDS], collide.capacity) {
        prepare(c);
    }
    workgroupBarrier();
    if lane < STEP_WORDS {
        let counted = atomicLoad(&tallies[lane]);
        if counted > 0u && lane == STEP_DEEPEST {
            atomicMax(&status[step_words() + lane], counted);
        } else if counted > 0u {
            atomicAdd(&status[step_words() + lane], counted);
        }
    }
}
