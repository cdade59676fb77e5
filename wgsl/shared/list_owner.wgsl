// Whose list a contact's place is in.
#import shared/contact_lists

@group(0) @binding(35) var<storage, read> contacts: array<Contact>;

// The particle or pose that has a node in its list.
fn participant_of(node: u32) -> u32 {
    let place = node & 3u;
    return select(contacts[node >> 3u].a.dofs[place], contacts[node >> 3u].b.dofs[place], is_touched(node));
}
