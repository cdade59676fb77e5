// Values of vertices or particles as colours. The struct is src/render/values.rs's.
#import types

@group(3) @binding(0) var<storage, read> values: array<f32>;
@group(3) @binding(1) var<uniform> value_look: ValueLook;

// Of a vertex, to be interpolated: its place in the table, and 1 where its value is no number.
fn value_place(i: u32) -> vec2f {
    if value_look.used == 0u {
        return vec2f();
    }
    let value = values[i];
    if (bitcast<u32>(value) & 0x7fffffffu) >= 0x7f800000u {
        return vec2f(0.0, 1.0);
    }
    return vec2f((clamp(value, value_look.least, value_look.most) - value_look.low) * value_look.per_value, 0.0);
}

// Linear RGB. own: the body's.
fn value_color(own: vec3f, place: vec2f) -> vec3f {
    if value_look.used == 0u {
        return own;
    }
    if place.y > 0.0 {
        return vec3f(1.0, 0.0, 1.0);
    }
    let along = clamp(place.x, 0.0, 16.0);
    let entry = min(u32(along), 15u);
    return mix(value_look.table[entry].rgb, value_look.table[entry + 1u].rgb, along - f32(entry));
}
