// What one contact of a pose does to it: one with particles by its row, a manifold by its wrench. Of manifold c stand at
// WRENCH_ROWS c: the impulse on side a and the manifold's share [kg], 0 where it does not act; its moment about a's centre;
// its moment about b's. Within the iterations of implicit steps contacts with particles share no pose. Who imports this binds
// contact_lists and rows.
#import shared/contact_lists

@group(0) @binding(198) var<storage, read> wrenches: array<vec4f>;

struct Wrench {
    impulse: vec3f,
    share: f32,
    moment: vec3f,
}

fn wrench_add(a: Wrench, b: Wrench) -> Wrench {
    return Wrench(a.impulse + b.impulse, a.share + b.share, a.moment + b.moment);
}

fn wrench_of_manifold(c: u32, w: f32) -> Wrench {
    let force = wrenches[WRENCH_ROWS * c];
    let moment = wrenches[WRENCH_ROWS * c + select(1u, 2u, w < 0.0)].xyz;
    return Wrench(w * force.xyz, force.w, w * moment);
}

// On the pose at x.
fn wrench_of_row(row: Row, w: f32, x: vec3f) -> Wrench {
    return Wrench(w * row.delta, select(row.share, 0.0, collide.hold > 0.0), w * cross(row.point - x, row.delta));
}

// What the contact in this row does with weight w to the pose at x; `manifolds`: their first row.
fn wrench_of(c: u32, w: f32, x: vec3f, manifolds: u32) -> Wrench {
    if c >= manifolds {
        return wrench_of_manifold(c, w);
    }
    return wrench_of_row(rows[c], w, x);
}
