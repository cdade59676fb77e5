// contact_watch: one thread per particle. Contacts are found anew when a particle has come further than a quarter of the
// least margin from where it was when they were found last: until then, what is not yet a contact cannot have come to
// touch. [the neighbour lists of Verlet 1967, section II]
// Reads particles_in, reference, plan; writes dispatches: the workgroups of the passes that find contacts.
#import shared/collide

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(50) var<storage, read> reference: array<vec4f>;
@group(0) @binding(51) var<storage, read> plan: array<u32>;
@group(0) @binding(52) var<storage, read_write> dispatches: array<atomic<u32>>;

@compute @workgroup_size(64)
fn contact_watch(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                 @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let way = particles_in[i].position - reference[i].xyz;
    if dot(way, way) > collide.stale * collide.stale && atomicLoad(&dispatches[0]) == 0u {
        let words = arrayLength(&plan);
        for (var k = 0u; k < words; k++) {
            atomicStore(&dispatches[k], plan[k]);
        }
    }
}
