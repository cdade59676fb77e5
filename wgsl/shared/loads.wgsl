// Acceleration by the elements that have passes of their own: finite elements, clusters (xyz [m/s^2], w unused).
@group(0) @binding(60) var<storage, read> loads: array<vec4f>;
