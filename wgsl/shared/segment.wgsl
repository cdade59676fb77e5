// The part of a segment inside a tetrahedron.
#import shared/collide

struct Part {
    first: f32,           // parameters along the segment, first > last where there is none
    last: f32,
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
