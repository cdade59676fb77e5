// What a record's contact begins as: the pair's constants, and no participants yet.
#import shared/tested

@group(0) @binding(7) var<storage, read> bodies: array<Body>;

// i: a particle of the feature.
fn contact_begun(feature: u32, i: u32, body: u32) -> Contact {
    let own = bodies[tested[i].body];
    let other = bodies[body];
    var contact = Contact();
    contact.particles = vec4u(NONE);
    contact.second = NONE;
    contact.feature = feature;
    contact.body = body;
    contact.fresh = 1u;
    contact.friction = sqrt(own.friction * other.friction);
    contact.restitution = max(own.restitution, other.restitution);
    contact.edge = min(own.edge, other.edge);
    return contact;
}
