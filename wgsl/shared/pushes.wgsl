// What the solids do to particles in a step, kept behind the other words of status for contact events: for each particle
// MAX_TOUCHING pushes of PUSH_WORDS words, the solid's number from 1 on, or 0 behind the last of them, the impulse along the
// normal, and the impulse [kg m/s].
#import shared/solids
#import shared/status

fn push_word(i: u32, place: u32) -> u32 {
    return sim.status_words + PUSH_WORDS * (MAX_TOUCHING * i + place);
}

fn push_write(i: u32, place: u32, solid: u32, normal_impulse: f32, impulse: vec3f) {
    let word = push_word(i, place);
    atomicStore(&status[word], solid + 1u);
    atomicStore(&status[word + 1u], bitcast<u32>(normal_impulse));
    atomicStore(&status[word + 2u], bitcast<u32>(impulse.x));
    atomicStore(&status[word + 3u], bitcast<u32>(impulse.y));
    atomicStore(&status[word + 4u], bitcast<u32>(impulse.z));
}

fn push_end(i: u32, count: u32) {
    if count < MAX_TOUCHING {
        atomicStore(&status[push_word(i, count)], 0u);
    }
}

// The number of the solid, 0 behind the last push; the four words behind it.
fn push_number(i: u32, place: u32) -> u32 {
    return atomicLoad(&status[push_word(i, place)]);
}

fn push_rest(i: u32, place: u32) -> vec4f {
    let word = push_word(i, place) + 1u;
    return vec4f(bitcast<f32>(atomicLoad(&status[word])), bitcast<f32>(atomicLoad(&status[word + 1u])),
                 bitcast<f32>(atomicLoad(&status[word + 2u])), bitcast<f32>(atomicLoad(&status[word + 3u])));
}

// Adds to what the same solid has done in this step; what is behind MAX_TOUCHING others is left out.
fn push_add(i: u32, solid: u32, normal_impulse: f32, impulse: vec3f) {
    var place = MAX_TOUCHING;
    var number = 0u;
    for (var k = 0u; k < MAX_TOUCHING; k++) {
        let own = push_number(i, k);
        if place == MAX_TOUCHING && (own == 0u || own == solid + 1u) {
            place = k;
            number = own;
        }
    }
    if place == MAX_TOUCHING {
        return;
    }
    if number == 0u {
        push_write(i, place, solid, normal_impulse, impulse);
        push_end(i, place + 1u);
        return;
    }
    let sum = push_rest(i, place);
    push_write(i, place, solid, sum.x + normal_impulse, sum.yzw + impulse);
}

// solids_impulse, which keeps the pushes where events are asked for. `again`: after others in the same step.
fn solids_push(i: u32, p: Particle, x: vec3f, v: vec3f, body: Body, again: bool) -> vec3f {
    let t = solids_touched(p, x, v, body);
    if !HAS_SOLIDS || sim.events == 0u {
        return t.velocity;
    }
    let places = vec4u(0u, 1u, 2u, 3u);
    for (var k = 0u; k < t.count; k++) {
        let here = places == vec4u(k);
        let one = select(vec4f(), vec4f(1.0), here);
        let n = vec3f(dot(t.x, one), dot(t.y, one), dot(t.z, one));
        let tangent = vec3f(dot(t.tangent_x, one), dot(t.tangent_y, one), dot(t.tangent_z, one));
        let normal_impulse = dot(t.normal_impulse, one) / p.inverse_mass;
        let impulse = normal_impulse * n + tangent / p.inverse_mass;
        let number = select(vec4u(), t.solids, here);
        let solid = number.x + number.y + number.z + number.w;
        if again {
            push_add(i, solid, normal_impulse, impulse);
        } else {
            push_write(i, k, solid, normal_impulse, impulse);
        }
    }
    if !again {
        push_end(i, t.count);
    }
    return t.velocity;
}
