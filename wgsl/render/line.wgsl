// Lines of constant width on the screen. They are drawn a little nearer to the eye than they are, so that those on a
// surface lie before it.
#import render/frame

// How much nearer a line of this width [pixels] is drawn, as a share of its distance.
fn line_pull(width: f32) -> f32 {
    return 1.5 * width * frame.pixel;
}

// How far from one end to the other a line comes before the eye: 0 where the first end is there, above 1 where none of
// it is. Both in clip space, where z is the near plane's distance at all points.
fn line_cut(first: vec4f, other: vec4f, pull: f32) -> f32 {
    let least = first.z * (1.0 + 1.01 * pull);
    if first.w >= least {
        return 0.0;
    }
    if other.w <= least {
        return 2.0;
    }
    return (least - first.w) / (other.w - first.w);
}

// From the picture's middle [pixels].
fn line_place(clip: vec4f) -> vec2f {
    return 0.5 * frame.size * clip.xy / clip.w;
}

// A place on the screen at a distance [m] along the view's axis.
fn line_clip(place: vec2f, distance: f32, near: f32, pull: f32) -> vec4f {
    return vec4f(2.0 * place / frame.size * distance, near * (1.0 + pull), distance);
}

// Outside of the picture.
const NOWHERE = vec4f(2.0, 2.0, 0.0, 1.0);

// From one place on the screen towards another; anywhere if they are one.
fn line_along(from_place: vec2f, to_place: vec2f) -> vec2f {
    let along = to_place - from_place;
    let apart = length(along);
    return select(vec2f(1.0, 0.0), along / max(apart, 1e-12), apart > 1e-6);
}

// Which corner of a quad a vertex of its two triangles is: bit 1 is the end, bit 0 the side.
fn line_corner(vertex: u32) -> u32 {
    return select(6u - vertex, vertex, vertex < 3u);
}
