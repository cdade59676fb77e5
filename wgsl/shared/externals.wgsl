// Obstacles and pulls.
#import types

@group(0) @binding(1) var<uniform> externals: Externals;
