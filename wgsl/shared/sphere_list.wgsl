// A sphere's list of partners: MAX_SPHERE_HITS places for spheres, then MAX_TRIANGLE_HITS for triangles, both in ascending
// order, then four words.
#import shared/collide

fn list_spheres(i: u32) -> u32 {
    return SPHERE_STRIDE * i;
}

fn list_triangles(i: u32) -> u32 {
    return SPHERE_STRIDE * i + MAX_SPHERE_HITS;
}

// How many spheres there are, and in the next word how many triangles.
fn list_counts(i: u32) -> u32 {
    return list_triangles(i) + MAX_TRIANGLE_HITS;
}

// Which places have records, a bit each.
fn list_mask(i: u32) -> u32 {
    return list_counts(i) + 2u;
}

// How many partners there was no room for.
fn list_dropped(i: u32) -> u32 {
    return list_counts(i) + 3u;
}
