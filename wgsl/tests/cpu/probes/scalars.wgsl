// Scalar functions of x = floats[i], and of a = whole[2 i] and b = whole[2 i + 1].
@group(0) @binding(0) var<storage, read> floats: array<f32>;
@group(0) @binding(1) var<storage, read> whole: array<u32>;
@group(0) @binding(2) var<storage, read_write> of_floats: array<array<f32, 20>>;
@group(0) @binding(3) var<storage, read_write> of_whole: array<array<u32, 24>>;

@compute @workgroup_size(64)
fn scalars(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    if i < arrayLength(&floats) {
        let x = floats[i];
        of_floats[i] = array(
            round(x), fract(x), sign(x), abs(x), floor(x), ceil(x), trunc(x),
            min(x, 1.0), max(x, 2.0), clamp(x, -1.0, 1.0), saturate(x), step(0.5, x),
            smoothstep(-1.0, 2.0, x), mix(x, 3.0, 0.25), inverseSqrt(abs(x)), exp(x),
            log(abs(x)), pow(abs(x), 2.5), f32(i32(x)), f32(u32(x)));
    }
    if i < arrayLength(&whole) / 2u {
        let a = whole[2u * i];
        let b = whole[2u * i + 1u];
        let s = i32(a);
        let t = bitcast<i32>(b);
        of_whole[i] = array(
            a + b, a - b, a * b, a / b, a % b, a << (b % 32u), a >> (b % 32u),
            u32(s / t), u32(s % t), u32(s >> (b % 32u)), u32(-s), u32(abs(s)), u32(sign(s)),
            countOneBits(a), firstLeadingBit(a), firstTrailingBit(a), reverseBits(a),
            extractBits(a, 1u, 5u), u32(extractBits(s, 1u, 5u)), u32(firstLeadingBit(s)),
            countLeadingZeros(a), select(a, b, a < b), min(a, b) ^ ~b, bitcast<u32>(f32(a)));
    }
}
