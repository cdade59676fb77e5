// The least of each number, by a workgroup.
#import shared/reduce

fn row_of_two(a: vec4f, b: vec4f, row: u32) -> vec4f {
    return min(a, b);
}
