// Loops and branches of all kinds: from n the number of turns, their sum, and which case.
@group(0) @binding(0) var<storage, read_write> out: array<vec4u>;

fn kind(n: u32) -> u32 {
    switch n {
        case 0u: {
            return 10u;
        }
        default: {
            return 40u;
        }
        case 1u, 2u: {
            if n == 2u {
                break;
            }
            return 20u;
        }
    }
    return 30u;
}

@compute @workgroup_size(4)
fn control(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let n = group.x * 4u + lane;
    var turns = 0u;
    var sum = 0u;
    for (var i = 0u; i < n; i++) {
        turns++;
        if i % 3u == 1u {
            continue;
        }
        for (var k = 0u; k < 100u; k++) {
            if k == i {
                break;
            }
            switch k {
                case 1u: {
                    continue;
                }
                default: {
                    sum += k;
                }
            }
        }
    }
    var down = n;
    loop {
        if down == 0u {
            break;
        }
        let half = down / 2u;
        continuing {
            down = half;
            break if down == 1u;
        }
    }
    out[n] = vec4u(turns, sum, kind(n), down);
}
