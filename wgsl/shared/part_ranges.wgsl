// Which parts make up a body's sum: those of its chunks, or where they are more than FEW_PARTS the one that a workgroup has made of them.
#import consts

// Per body the first of them and how many. Behind them the chunks of each body that has many, whose sums lie behind those of all
// chunks.
@group(0) @binding(186) var<storage, read> part_ranges: array<vec2u>;
