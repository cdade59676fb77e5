// shape_solve: one workgroup per cluster of more than SLICE members; they come first. Adds up what shape_sum left of its chunks, in
// fixed order, and turns it into the cluster's goals [Mueller et al. 2005, eq. 7-15], which one thread does: such clusters are few.
// Reads particles_in, clusters, fits, bodies, moments; updates cluster_states; writes goals.
#import shared/shape
#import shared/moment_rows

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(77) var<storage, read> moments: array<vec4f>;

fn moment_columns(row: u32) -> mat3x3f {
    return mat3x3f(moments[row].xyz, moments[row + 1u].xyz, moments[row + 2u].xyz);
}

fn moments_beside(row: u32) -> vec3f {
    return vec3f(moments[row].w, moments[row + 1u].w, moments[row + 2u].w);
}

fn add_chunk(row: u32, rows: u32, m: ptr<function, Moments>) {
    (*m).linear += moment_columns(row);
    (*m).shift += moments_beside(row);
    if rows > LINEAR_ROWS {
        (*m).turn += moment_columns(row + 3u);
        (*m).velocity += moments_beside(row + 3u);
        (*m).spread.d += moments[row + 6u].xyz;
        (*m).spread.o += moments[row + 7u].xyz;
    }
    if rows > MOVING_ROWS {
        (*m).squares += moment_columns(row + 8u);
        (*m).products += moment_columns(row + 11u);
    }
}

@compute @workgroup_size(64)
fn shape_solve(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = group_index(group);
    if k >= sim.long_cluster_count {
        return;
    }
    let cluster = clusters[k];
    let rows = moment_rows(cluster_mode(cluster), cluster_moving(bodies[cluster.body]));
    var m = no_moments();
    let count = cluster.chunk_count;
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        add_chunk((cluster.chunk_first + lane + WORKGROUP * turn) * MOMENT_ROWS, rows, &m);
    }
    if lane < threads {
        leave_moments(lane, m, rows);
    }
    workgroupBarrier();
    join_rows(lane, threads, rows);
    workgroupBarrier();
    if lane < rows {
        leave_row(0u, lane, joined_row(threads, lane));
    }
    workgroupBarrier();
    if lane == 0u {
        let anchor = particles_in[cluster.anchor];
        cluster_solve(k, cluster, moments_left(rows), anchor.position, anchor.velocity);
    }
}
