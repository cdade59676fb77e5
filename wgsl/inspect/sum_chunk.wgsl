// sum_chunk: one workgroup per chunk of one body's particles. Its mass, first moment from its first particle, kinetic and elastic
// energy, momentum, box, greatest speed, least and greatest value of a field. Held particles have no motion; of those without
// mass, which is their pose's, speed is all.
// Reads chunks, particles_in, masses, energies, particle_values; writes chunk_sums.
#import shared/sim
#import shared/chunk_sums

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(123) var<storage, read> particle_values: array<f32>;
@group(0) @binding(125) var<storage, read> masses: array<f32>;
@group(0) @binding(126) var<storage, read> energies: array<f32>;
@group(0) @binding(127) var<storage, read_write> chunk_sums: array<ChunkSums>;

@compute @workgroup_size(64)
fn sum_chunk(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = group_index(group);
    if k >= sim.chunk_count {
        return;
    }
    let chunk = chunks[k];
    let origin = particles_in[chunk.first].position;
    let value = particle_values[chunk.first];
    var sums = ChunkSums(origin, 0.0, vec3f(), 0.0, origin, 0.0, origin, 0.0, vec3f(), value, value);
    let count = chunk.end - chunk.first;
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        let i = chunk.first + lane + WORKGROUP * turn;
        let p = particles_in[i];
        let mass = masses[i];
        sums.mass += mass;
        sums.moment += mass * (p.position - origin);
        if p.inverse_mass > 0.0 || mass == 0.0 {
            sums.kinetic += 0.5 * mass * dot(p.velocity, p.velocity);
            sums.speed = max(sums.speed, length(p.velocity));
            sums.momentum += mass * p.velocity;
        }
        sums.elastic += energies[i];
        sums.low = min(sums.low, p.position);
        sums.high = max(sums.high, p.position);
        sums.least = min(sums.least, particle_values[i]);
        sums.greatest = max(sums.greatest, particle_values[i]);
    }
    if lane < threads {
        leave_sums(lane, sums);
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane == 0u {
        chunk_sums[k] = joined_sums(threads, origin);
    }
}
