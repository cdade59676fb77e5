// How the kernel of an explicit step ends. Where nothing can be touched it moves its particles; elsewhere it leaves them where
// they are with the velocities that forces lead to, and move_particles or contact_move ends the step.
#import shared/status
#import content

const MOVES: bool = !(HAS_SOLIDS || HAS_CONTACT);

// The particle after the step, `way` what it goes without what it touches [m]; a held one stays. u: the velocity that it has then.
fn finish(p: Particle, b: u32, body: Body, u: vec3f, way: vec3f, damping_rate: f32) -> Particle {
    status_jump(body, u - p.velocity);
    if !MOVES {
        return Particle(p.position, p.inverse_mass, u, damping_rate);
    }
    let x = select(p.position, p.position + way, p.inverse_mass > 0.0);
    status_check(b, x, u);
    status_way(STATUS_TRAVEL, x - p.position);
    return Particle(x, p.inverse_mass, u, damping_rate);
}
