// Bodies that ties join are one to what looks at their momentum.
#import consts

// Of each body the least number of those that it hangs together with by ties, with TIE_JOINED where these are several, and
// TIE_HELD where a tie joins one of them to a solid or a place.
@group(0) @binding(164) var<storage, read> tie_groups: array<u32>;

fn tie_group(body: u32) -> u32 {
    return tie_groups[body] & ~(TIE_JOINED | TIE_HELD);
}
