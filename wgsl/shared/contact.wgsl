// What a record's contact begins as: no participants yet, and not one that had an impulse.
#import shared/collide

fn contact_begun(feature: u32, own: u32, other: u32) -> Contact {
    var contact = Contact();
    contact.a.dofs = vec4u(NONE);
    contact.b.dofs = vec4u(NONE);
    contact.feature_a = feature;
    contact.feature_b = other;
    contact.bodies = vec2u(own, other);
    return contact;
}
