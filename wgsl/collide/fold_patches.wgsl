// fold_patches: one thread per patch, PATCH surface particles of one body that lie together at rest. Its box, its
// centre, and how far its particles are from that. The first patch of a body leaves the body's fold empty.
// Reads particles_in, patches, patch_points; writes patch_shapes, folds.
#import shared/collide

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(169) var<storage, read> patches: array<Patch>;
@group(0) @binding(170) var<storage, read> patch_points: array<u32>;
@group(0) @binding(171) var<storage, read_write> patch_shapes: array<PatchShape>;
@group(0) @binding(172) var<storage, read_write> folds: array<u32>;

@compute @workgroup_size(64)
fn fold_patches(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= arrayLength(&patches) {
        return;
    }
    let own = patches[k];
    if k == own.first {
        for (var word = 0u; word < FOLD_WORDS; word++) {
            folds[FOLD_WORDS * own.body + word] = NONE;
        }
    }
    // From one of the particles, so that squares are of differences.
    let origin = particles_in[patch_points[PATCH * k]].position;
    var low = vec3f();
    var high = vec3f();
    var sum = vec3f();
    var squares = 0.0;
    for (var e = 0u; e < PATCH; e++) {
        let d = particles_in[patch_points[PATCH * k + e]].position - origin;
        low = min(low, d);
        high = max(high, d);
        sum += d;
        squares += dot(d, d);
    }
    let mean = sum / f32(PATCH);
    let spread = sqrt(max(squares / f32(PATCH) - dot(mean, mean), 0.0));
    patch_shapes[k] = PatchShape(origin + low, spread, origin + high, origin + mean);
}
