// What is left of the equation of an implicit step at an iterate v, x = x_n + h v, without contacts [N]:
// m (v* - v)/h - m drag (v - wind) + f(x, v).
#import shared/sim

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(10) var<storage, read> base: array<Particle>;
@group(0) @binding(60) var<storage, read> loads: array<vec4f>;
@group(0) @binding(102) var<storage, read_write> contact_blocks: array<ContactBlock>;
@group(0) @binding(93) var<storage, read_write> products: array<vec4f>;

fn newton_imbalance(i: u32, p: Particle) -> vec3f {
    let start = base[i].velocity - p.velocity;
    return (start / sim.step - sim.drag * (p.velocity - sim.wind) + loads[i].xyz) / p.inverse_mass;
}
