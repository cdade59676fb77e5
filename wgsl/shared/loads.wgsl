// Acceleration by the elements that have passes of their own, finite elements, clusters and ties, and by the caller's forces
// (xyz [m/s^2]; w: 1 where these are in it, -1 where ties are and they are not).
@group(0) @binding(60) var<storage, read> loads: array<vec4f>;
