// The part of a segment inside a tetrahedron.
#import shared/collide

struct Part {
    first: f32,           // parameters along the segment, first > last where there is none
    last: f32,
}

// Barycentric coordinates of q.
fn barycentric(q: vec3f, a: vec3f, b: vec3f, c: vec3f, d: vec3f) -> vec4f {
    let u = b - a;
    let v = c - a;
    let w = d - a;
    let p = q - a;
    let inner = vec3f(dot(p, cross(v, w)), dot(p, cross(w, u)), dot(p, cross(u, v))) / dot(u, cross(v, w));
    return vec4f(1.0 - inner.x - inner.y - inner.z, inner);
}

fn clip(part: Part, start: f32, end: f32) -> Part {
    let t = start / (start - end);
    if start < 0.0 && end < 0.0 {
        return Part(1.0, 0.0);
    }
    if start < 0.0 {
        return Part(max(part.first, t), part.last);
    }
    if end < 0.0 {
        return Part(part.first, min(part.last, t));
    }
    return part;
}

// start, end: barycentric coordinates of the segment's ends.
fn segment_part(start: vec4f, end: vec4f) -> Part {
    var part = Part(0.0, 1.0);
    part = clip(part, start.x, end.x);
    part = clip(part, start.y, end.y);
    part = clip(part, start.z, end.z);
    return clip(part, start.w, end.w);
}
