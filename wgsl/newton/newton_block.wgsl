// newton_block: one thread per particle. The block of its elements' stiffness that belongs to it alone, C/h of damping
// included [shared/vertex; newton_tangent]; of clusters the whole pull, alpha/h^2 (1 + tau/h).
// Reads particles_out (the iterate), the model, fem_rows, corner_blocks; writes blocks.
#import shared/vertex

@group(0) @binding(67) var<storage, read> fem_rows: array<vec2u>;
@group(0) @binding(94) var<storage, read_write> blocks: array<Block>;
@group(0) @binding(97) var<storage, read> corner_blocks: array<vec4f>;

fn fem_block(i: u32) -> Symmetric {
    var sum = Symmetric(vec3f(), vec3f());
    let row = fem_rows[i];
    for (var e = 0u; e < row.y; e++) {
        let slot = 2u * (row.x + e * SLICE);
        sum.d += corner_blocks[slot].xyz;
        sum.o += corner_blocks[slot + 1u].xyz;
    }
    return sum;
}

@compute @workgroup_size(64)
fn newton_block(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_out[i];
    let point = points[i];
    let body = bodies[point.body];
    var sum = Symmetric(vec3f(), vec3f());
    if p.inverse_mass > 0.0 {
        if !HAS_LOADS || body.kind == KIND_SPRINGS {
            let springs = vertex_springs(p, point, body);
            let all = vertex_sum(springs, vertex_volumes(i, p, point, body));
            sum = vertex_sum(all, vertex_areas(p, point, body)).block;
        } else if body.kind == KIND_FEM {
            sum = fem_block(i);
        } else {
            let rate = body.alpha / (sim.step * sim.step) + body.pull_rate;
            sum.d = vec3f(rate * (1.0 + body.relaxation / sim.step) / p.inverse_mass);
        }
    }
    blocks[i] = Block(sum.d, sum.o);
}
