// vbd_solve: one thread per vertex of one colour, no two of which share an element. Newton's step of the vertex alone, in
// place: with f = m (v* - v)/h + its elements, its contacts and drag and the block H = m/h^2 + theirs, v += H^-1 f/h,
// x = x_n + h v [Chen et al. 2024, eq. 5-9].
// Reads color, base and the model; updates particles_out (the iterate) and contact_blocks (the vertex's own stiffness).
#import shared/vertex

@group(0) @binding(10) var<storage, read> base: array<Particle>;
@group(0) @binding(100) var<storage, read> color: array<ColorVertex>;
@group(0) @binding(102) var<storage, read_write> contact_blocks: array<ContactBlock>;

@compute @workgroup_size(64)
fn vbd_solve(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= arrayLength(&color) {
        return;
    }
    let vertex = color[k];
    if vertex.particle == NONE {
        return;
    }
    let i = vertex.particle;
    let p = particles_out[i];
    if p.inverse_mass == 0.0 {
        return;
    }
    let point = points[i];
    let start = base[i];
    let press = contact_blocks[i];
    let gathered = vertex_gather(vertex, p, point, bodies[point.body]);
    let pace = 1.0 / (p.inverse_mass * sim.step);
    let inertia = pace * (1.0 / sim.step + sim.drag);
    let force = gathered.force + press.force
        + pace * (start.velocity - p.velocity - (sim.step * sim.drag) * (p.velocity - sim.wind));
    let own = gathered.block.d + inertia;
    let diagonal = own + press.diagonal;
    let off = gathered.block.o + press.off;
    let pivots = max(symmetric_pivots(diagonal, off, inertia), vec3f(inertia));
    let v = p.velocity + symmetric_solve(pivots, off, force) / sim.step;
    particles_out[i] = Particle(start.position + sim.step * v, p.inverse_mass, v, 0.0);
    contact_blocks[i].stiffness = (own.x + own.y + own.z) / 3.0;
}
