// Vectors, matrices, structs and their parts by number; what is no index of them reads as 0 and is not written.
struct Part {
    place: vec3f,
    weight: f32,
    pairs: array<vec2f, 3>,
    turn: mat3x3f,
}

struct All {
    part: Part,
    flags: vec4<bool>,
}

@group(0) @binding(0) var<storage, read> sim: Part;
@group(0) @binding(1) var<storage, read> parts: array<Part>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<private> count: u32 = 7u;

const TABLE = array<u32, 4>(1u, 2u, 3u, 4u);

fn put(value: f32) {
    out[count] = value;
    count++;
}

fn put3(v: vec3f) {
    put(v.x);
    put(v.y);
    put(v.z);
}

fn double(value: ptr<function, f32>) {
    *value = *value + *value;
}

@compute @workgroup_size(1)
fn vectors(@builtin(workgroup_id) group: vec3u) {
    let p = parts[1];
    let m = p.turn;
    put3(m * p.place);
    put3(p.place * m);
    put3((m * transpose(m))[1]);
    put(determinant(m));
    put3((m * 2.0 - m)[group.x + 2u]);
    put3(cross(p.place, sim.place).zxy);
    put(dot(p.place, sim.place) + length(p.place) + distance(p.place, sim.place));
    put3(normalize(p.place) - reflect(p.place, sim.place));
    put(parts[9].weight + parts[1].pairs[group.x + 3u].y + p.pairs[group.x + 3u].x);
    put(parts[1].pairs[group.x + 2u][group.x + 1u]);
    var all: All;
    all.part = p;
    all.part.turn[group.x + 1u].y = 5.0;
    all.part.turn[group.x + 3u].y = 6.0;
    all.part.pairs[group.x + 1u][group.x] = 8.0;
    all.flags = vec4(p.place < sim.place, true);
    double(&all.part.weight);
    put(all.part.weight);
    put3(all.part.turn[1]);
    put(all.part.pairs[1].x);
    put(select(0.0, 1.0, all.flags[group.x + 3u]) + select(0.0, 2.0, any(all.flags.xyz)));
    put(f32(TABLE[group.x + 2u] + TABLE[group.x + 4u]));
    put3(select(p.place, sim.place, all.flags.xyz));
    put3(vec3f(vec3i(floor(p.place)) % vec3i(4) + vec3i(1, -2, 3)));
    put3(mix(p.place, sim.place, 0.5));
    put3(vec3f((vec3u(1u, 2u, 3u) << vec3u(1u, 2u, 3u)) & vec3u(10u)));
    put(bitcast<f32>(count));
    out[1000] = 1.0;
}
