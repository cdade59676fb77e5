// What a record's contact begins as: no participants yet, and not one that had an impulse.
#import shared/collide

fn contact_begun(feature: u32, body: u32) -> Contact {
    var contact = Contact();
    contact.particles = vec4u(NONE);
    contact.second = NONE;
    contact.feature = feature;
    contact.body = body;
    contact.partner = body;
    contact.fresh = 1u;
    return contact;
}
