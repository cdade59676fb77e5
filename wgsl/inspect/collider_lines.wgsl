// collider_lines: one thread per line of an outline. Where its ends are with its pose, x = X + R a.
// Reads poses, outlines, lines; writes segments.
#import shared/sim
#import shared/turn

@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(114) var<storage, read_write> segments: array<Segment>;
@group(0) @binding(120) var<uniform> lines: Lines;
@group(0) @binding(133) var<storage, read> outlines: array<Outline>;

@compute @workgroup_size(64)
fn collider_lines(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= lines.count {
        return;
    }
    let outline = outlines[k];
    let pose = poses[outline.pose];
    let start = pose.position + rotate(pose.rotation, outline.start);
    let end = pose.position + rotate(pose.rotation, outline.end);
    segments[k] = Segment(start, 0.0, end, pose.body);
}
