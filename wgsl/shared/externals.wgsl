// Obstacles and pulls.
#import shared/types

@group(0) @binding(1) var<uniform> externals: Externals;
