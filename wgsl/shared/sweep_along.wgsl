// Along which axis boxes are swept: 0 x, 1 y, 2 z.
#import shared/collide

@group(0) @binding(224) var<storage, read> sweep_along: array<u32>;

fn along_sweep(x: vec3f, axis: u32) -> f32 {
    return select(x.x, select(x.y, x.z, axis == 2u), axis > 0u);
}
