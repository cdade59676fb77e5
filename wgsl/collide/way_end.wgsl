// way_end: one thread per particle. A fast one that is in no body where it is tested ahead, but enters one on its way, is
// tested there: a margin beyond where it enters the first, no further than in the middle of its part in the tetrahedron.
// Reads particles_in, tets, grid, hits, counts; updates tested.
#import shared/fast

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(28) var<storage, read_write> tested: array<Tested>;
@group(0) @binding(29) var<storage, read> grid: array<u32>;
@group(0) @binding(30) var<storage, read> tets: array<Tet>;
@group(0) @binding(31) var<storage, read> hits: array<u32>;
@group(0) @binding(40) var<storage, read> counts: array<u32>;

@compute @workgroup_size(64)
fn way_end(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count || counts[i] == 0u || !is_fast(i) {
        return;
    }
    let way = fast_way(i);
    let point = tested[i];
    let margin = point.margin / length(way.way);
    var first = Part(1.0, 0.0);
    for (var k = 0u; k < counts[i]; k++) {
        let inside = inside_begin(tets[hits[HIT_STRIDE * i + k]]);
        if inside_holds(inside, point) {
            return;
        }
        let part = part_of_way(inside, point, way);
        if part.first < first.first {
            first = part;
        }
    }
    if first.first < first.last {
        tested[i].position = way.start + min(first.first + margin, 0.5 * (first.first + first.last)) * way.way;
    }
}
