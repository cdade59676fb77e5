// Particles as they are tested for being inside other bodies.
#import shared/collide

@group(0) @binding(28) var<storage, read> tested: array<Tested>;
