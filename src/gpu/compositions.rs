//! The contents that a kernel makes a difference between.

use naga::{
    back::wgsl,
    compact::{KeepUnused, compact},
    valid::{Capabilities, ValidationFlags, Validator},
};

use super::{Composed, Content, compose_for, validate};

/// The contents that a kernel is compared in: all that it asks for, all but one, one alone, nothing of it; what it does not
/// ask for is always held. Of those that give the same code the first, [`Content::ALL`] before others. They grow by two
/// with each flag, where all contents would double.
///
/// # Panics
/// When there is no such kernel, or it does not compile.
#[must_use]
pub fn compositions(kernel: &str) -> Vec<Content> {
    let all = compose_for(kernel, Content::ALL).text;
    let flags = Content::ALL.flags().into_iter().enumerate();
    let asked: Vec<usize> = flags
        .filter(|(_, (name, _))| all.matches(&format!("HAS_{name}")).count() > 1)
        .map(|(flag, _)| flag)
        .collect();
    let with = |held: &dyn Fn(usize) -> bool| {
        Content::holding(std::array::from_fn(|flag| held(flag) || !asked.contains(&flag)))
    };
    let but_one = asked.iter().map(|one| with(&|flag| flag != *one));
    let alone = asked.iter().map(|one| with(&|flag| flag == *one));
    // Whether it makes a difference takes compiling to find out.
    let mut codes = Vec::new();
    let mut contents: Vec<_> = std::iter::once(Content::ALL).chain(but_one).chain(alone).collect();
    contents.push(with(&|_| false));
    contents.retain(|content| {
        let code = code_of(&compose_for(kernel, *content));
        let new = !codes.contains(&code);
        codes.push(code);
        new
    });
    contents
}

/// What the entry points of a kernel run, without anything that they do not reach.
fn code_of(composed: &Composed) -> String {
    let (mut module, _) = validate(composed).unwrap_or_else(|message| panic!("{message}"));
    // Named constants would be kept.
    let constants: Vec<_> = module.constants.iter().map(|(handle, _)| handle).collect();
    for handle in constants {
        module.constants[handle].name = None;
    }
    compact(&mut module, KeepUnused::No);
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
    let info = info.expect("what is left of a valid module is one");
    wgsl::write_string(&module, &info, wgsl::WriterFlags::empty()).expect("a String grows")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_reached_makes_another_composition() {
        let lacks = |kernel| -> Vec<_> {
            let compositions = compositions(kernel);
            assert_eq!(compositions[0], Content::ALL, "{kernel}");
            let flags = |content: &Content| content.flags().map(|(_, held)| held);
            let some = |k: usize| compositions.iter().any(|content| !flags(content)[k]);
            let names = Content::ALL.flags().map(|(name, _)| name);
            let lacks: Vec<_> = (0..names.len()).filter(|k| some(*k)).map(|k| names[k]).collect();
            assert_eq!(compositions.len(), (1 << lacks.len()).min(2 * lacks.len() + 2), "{kernel}");
            lacks
        };
        assert_eq!(
            lacks("verlet"),
            ["HETEROGENEOUS", "AREAS", "LOADS", "SOLIDS", "CONTACT", "ORDER"]
        );
        assert_eq!(lacks("half_back"), ["HETEROGENEOUS", "AREAS", "LOADS"]);
        assert_eq!(lacks("internal_force"), ["HETEROGENEOUS", "AREAS"]);
        assert_eq!(lacks("probe_apply"), ["HETEROGENEOUS", "ORDER"]);
        assert_eq!(lacks("contact_move"), ["SOLIDS"]);
        assert_eq!(lacks("contact_solve"), ["POSES"]);
        assert_eq!(lacks("skin_points"), ["SOLIDS"]);
        // They import functions that ask, and call none of them.
        assert!(lacks("fem_force").is_empty());
        assert!(lacks("scan_apply").is_empty());
    }

    #[test]
    fn contents_are_called_by_what_they_hold() {
        assert_eq!(
            Content::ALL.to_string(),
            "heterogeneous, areas, loads, solids, contact, poses, order"
        );
        assert_eq!(Content::NONE.to_string(), "nothing");
    }
}
