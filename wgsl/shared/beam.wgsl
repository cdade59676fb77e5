// The ray that a viewer looks along, and the nearest of what lies on it.
#import shared/sim

@group(0) @binding(115) var<uniform> beam: Beam;
@group(0) @binding(118) var<storage, read_write> candidates: array<Candidate>;

// Farther than anything.
const FAR: f32 = 3e38;

// A place as the ray sees it: across it twice, then along it, from its origin.
fn beam_view(x: vec3f) -> vec3f {
    let r = x - beam.origin;
    return vec3f(dot(r, beam.right), dot(r, beam.up), dot(r, beam.direction));
}
