// Acceleration by the elements that have passes of their own, finite elements and clusters, and by the caller's forces
// (xyz [m/s^2]; w: 1 where these are in it).
@group(0) @binding(60) var<storage, read> loads: array<vec4f>;
