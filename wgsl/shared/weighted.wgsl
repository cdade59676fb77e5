// Places that four particles carry.

// x = sum of w_k x_k.
fn weighted(corners: vec4u, weights: vec4f) -> vec3f {
    return weights.x * particles_in[corners.x].position + weights.y * particles_in[corners.y].position
         + weights.z * particles_in[corners.z].position + weights.w * particles_in[corners.w].position;
}
