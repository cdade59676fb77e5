//! The public surface: every name that another crate can reach, with its type, is listed in `docs/public-api.txt`.
//!
//! The list is made from the sources: modules are read as the compiler reads them, and what is public or re-exported is
//! followed from the crate's root. A change of the surface fails here until the list is renewed:
//!
//! ```sh
//! PLIANT_RENEW=1 cargo test --test embed surface
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::spanned::Spanned;
use syn::{Attribute, Fields, ImplItem, Item, TraitItem, Type, UseTree, Visibility};

/// The list, from the crate's root.
const LIST: &str = "docs/public-api.txt";
const HEAD: &str = "# Every public name of pliant, kept true by tests/embed/surface.rs.\n\
                    # Renew it: PLIANT_RENEW=1 cargo test --test embed surface\n";
/// Re-exports of re-exports end before this.
const DEEPEST: usize = 16;

/// A path from the crate's root, without the crate's name; empty: the root.
type Name = Vec<String>;

#[derive(Default)]
struct Module {
    /// Whether other crates see it where it stands.
    public: bool,
    children: Vec<(String, bool)>,
    items: Vec<Item>,
    imports: Vec<Import>,
}

/// One name of a `use`; `*` stands for all of them.
#[derive(Clone)]
struct Import {
    name: String,
    path: Name,
    public: bool,
}

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Module(Name),
    /// An item: its module and number there.
    Item(Name, usize),
}

struct Surface {
    modules: BTreeMap<Name, Module>,
    /// Public names of items, the first of each is its own.
    names: BTreeMap<Target, String>,
    lines: BTreeSet<String>,
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_left_out(attributes: &[Attribute]) -> bool {
    let test = |a: &Attribute| {
        let text = text(a);
        text == "#[cfg(test)]" || text == "#[cfg(doctest)]"
    };
    attributes.iter().any(test)
}

/// Source text on one line, without what only the layout asks for.
fn text(of: &impl Spanned) -> String {
    let source = of.span().source_text().unwrap_or_default();
    let mut line = source.split_whitespace().collect::<Vec<_>>().join(" ");
    for (from, to) in [
        ("( ", "("),
        (", )", ")"),
        (" )", ")"),
        ("< ", "<"),
        (", >", ">"),
        (",>", ">"),
        (",)", ")"),
    ] {
        line = line.replace(from, to);
    }
    line
}

/// The name of an item that has one, and whether it is public.
fn named(item: &Item) -> Option<(String, bool)> {
    let (name, visibility) = match item {
        Item::Const(item) => (&item.ident, &item.vis),
        Item::Enum(item) => (&item.ident, &item.vis),
        Item::Fn(item) => (&item.sig.ident, &item.vis),
        Item::Static(item) => (&item.ident, &item.vis),
        Item::Struct(item) => (&item.ident, &item.vis),
        Item::Trait(item) => (&item.ident, &item.vis),
        Item::Type(item) => (&item.ident, &item.vis),
        Item::Union(item) => (&item.ident, &item.vis),
        _ => return None,
    };
    Some((name.to_string(), is_public(visibility)))
}

fn imports(tree: &UseTree, mut path: Name, public: bool, all: &mut Vec<Import>) {
    match tree {
        UseTree::Path(part) => {
            path.push(part.ident.to_string());
            imports(&part.tree, path, public, all);
        }
        UseTree::Name(last) if last.ident == "self" => {
            let name = path.last().cloned().unwrap_or_default();
            all.push(Import { name, path, public });
        }
        UseTree::Name(last) => {
            path.push(last.ident.to_string());
            all.push(Import {
                name: last.ident.to_string(),
                path,
                public,
            });
        }
        UseTree::Rename(last) => {
            path.push(last.ident.to_string());
            all.push(Import {
                name: last.rename.to_string(),
                path,
                public,
            });
        }
        UseTree::Glob(_) => all.push(Import {
            name: "*".into(),
            path,
            public,
        }),
        UseTree::Group(group) => {
            for tree in &group.items {
                imports(tree, path.clone(), public, all);
            }
        }
    }
}

/// The constants that `constants! { NAME: U32 = 1; }` makes, as items.
fn constants(source: &str) -> Vec<Item> {
    let body = source.split_once('{').map_or("", |(_, body)| body);
    let uncommented = body
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let body = uncommented.collect::<Vec<_>>().join("\n");
    let made = body.split(';').filter_map(|line| {
        let (name, kind) = line.split_once('=')?.0.split_once(':')?;
        let made = format!(
            "pub const {}: {} = 0;",
            name.trim(),
            kind.trim().to_lowercase()
        );
        Some(syn::parse_str(&made).unwrap())
    });
    made.collect()
}

/// The enum that `named! { pub enum Law { Corotated = "corotated", } }` declares, with what that gives it.
fn named_enum(source: &syn::Macro) -> [Item; 2] {
    let declared: syn::ItemEnum = source.parse_body().unwrap();
    let made = format!(
        "impl {} {{ pub const ALL: [Self; {}] = []; pub fn name(self) -> &'static str {{}} }}",
        declared.ident,
        declared.variants.len()
    );
    [declared.into(), syn::parse_str(&made).unwrap()]
}

impl Surface {
    /// Of a crate whose files `read` gives by their path below `src`.
    fn new(read: &dyn Fn(&Path) -> Option<String>) -> Self {
        let mut surface = Self {
            modules: BTreeMap::new(),
            names: BTreeMap::new(),
            lines: BTreeSet::new(),
        };
        let root = syn::parse_file(&read(Path::new("lib.rs")).unwrap()).unwrap();
        surface.load(read, Path::new(""), Vec::new(), true, root.items);
        surface.name_all();
        surface.list_impls();
        surface
    }

    /// A module, whose files lie in `folder`, with all that are in it.
    fn load(
        &mut self,
        read: &dyn Fn(&Path) -> Option<String>,
        folder: &Path,
        name: Name,
        public: bool,
        items: Vec<Item>,
    ) {
        let mut module = Module {
            public,
            ..Module::default()
        };
        for item in items {
            match item {
                Item::Mod(inner) if !is_left_out(&inner.attrs) => {
                    let own = inner.ident.to_string();
                    let seen = is_public(&inner.vis);
                    let items = match inner.content {
                        Some((_, items)) => items,
                        None => {
                            let places = [
                                folder.join(format!("{own}.rs")),
                                folder.join(&own).join("mod.rs"),
                            ];
                            let source = places.iter().find_map(|place| read(place));
                            let source = source
                                .unwrap_or_else(|| panic!("no file of module {own} in {folder:?}"));
                            syn::parse_file(&source).unwrap().items
                        }
                    };
                    let inside = [name.clone(), vec![own.clone()]].concat();
                    self.load(read, &folder.join(&own), inside, public && seen, items);
                    module.children.push((own, seen));
                }
                Item::Use(item) if !is_left_out(&item.attrs) => {
                    imports(
                        &item.tree,
                        Vec::new(),
                        is_public(&item.vis),
                        &mut module.imports,
                    );
                }
                Item::Macro(call) if call.mac.path.is_ident("constants") => {
                    module
                        .items
                        .extend(constants(&call.span().source_text().unwrap()));
                    let all = "pub const CONSTANTS: &[(&str, Constant)] = &[];";
                    module.items.push(syn::parse_str(all).unwrap());
                }
                Item::Macro(call) if call.mac.path.is_ident("named") => {
                    module.items.extend(named_enum(&call.mac));
                }
                other => module.items.push(other),
            }
        }
        self.modules.insert(name, module);
    }

    /// What a path that is written in a module leads to; nothing outside the crate.
    fn resolve(&self, module: &Name, path: &[String], depth: usize) -> Vec<Target> {
        let (first, rest) = match path {
            [] => return vec![Target::Module(module.clone())],
            [first, rest @ ..] => (first.as_str(), rest),
        };
        let from = match first {
            "crate" => Some(Vec::new()),
            "self" => Some(module.clone()),
            "super" => module.split_last().map(|(_, parent)| parent.to_vec()),
            _ => None,
        };
        if let Some(from) = from {
            return self.resolve(&from, rest, depth);
        }
        let found = self.find(module, first, false, depth);
        match rest {
            [] => found,
            _ => found
                .iter()
                .flat_map(|target| match target {
                    Target::Module(inner) => self.resolve(inner, rest, depth),
                    // A variant or an associated item.
                    Target::Item(..) => Vec::new(),
                })
                .collect(),
        }
    }

    /// What a name stands for in a module; `outside`: for other modules that see what is public there.
    fn find(&self, module: &Name, name: &str, outside: bool, depth: usize) -> Vec<Target> {
        let (Some(own), true) = (self.modules.get(module), depth < DEEPEST) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if own
            .children
            .iter()
            .any(|(child, seen)| child == name && (*seen || !outside))
        {
            found.push(Target::Module([module.clone(), vec![name.into()]].concat()));
        }
        for (index, item) in own.items.iter().enumerate() {
            if named(item).is_some_and(|(own, public)| own == name && (public || !outside)) {
                found.push(Target::Item(module.clone(), index));
            }
        }
        let seen = |import: &&Import| import.public || !outside;
        for import in own.imports.iter().filter(seen) {
            if import.name == name && import.path != [name] {
                found.extend(self.resolve(module, &import.path, depth + 1));
            }
        }
        if !found.is_empty() {
            // What has a name of its own hides what `*` brings.
            return found;
        }
        let all = |import: &&Import| {
            import.name == "*" && import.path.first().is_some_and(|first| first != name)
        };
        for import in own.imports.iter().filter(seen).filter(all) {
            for target in self.resolve(module, &import.path, depth + 1) {
                if let Target::Module(inner) = target {
                    found.extend(self.find(&inner, name, true, depth + 1));
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// The names that a module shows: its own, and those of `pub use`.
    fn shown(&self, module: &Name, depth: usize) -> BTreeSet<String> {
        let (Some(own), true) = (self.modules.get(module), depth < DEEPEST) else {
            return BTreeSet::new();
        };
        let mut names = BTreeSet::new();
        names.extend(
            own.children
                .iter()
                .filter(|(_, seen)| *seen)
                .map(|(name, _)| name.clone()),
        );
        names.extend(
            own.items
                .iter()
                .filter_map(named)
                .filter(|(_, public)| *public)
                .map(|(name, _)| name),
        );
        for import in own.imports.iter().filter(|import| import.public) {
            if import.name != "*" {
                names.insert(import.name.clone());
                continue;
            }
            for target in self.resolve(module, &import.path, depth + 1) {
                if let Target::Module(inner) = target {
                    names.extend(self.shown(&inner, depth + 1));
                }
            }
        }
        names
    }

    /// Finds the public name of every item: where it stands, if others see it there, else where it is re-exported first.
    fn name_all(&mut self) {
        let full = |name: &Name| {
            [vec!["pliant".to_string()], name.clone()]
                .concat()
                .join("::")
        };
        for (module, own) in self.modules.iter().filter(|(_, own)| own.public) {
            for (index, item) in own.items.iter().enumerate() {
                if let Some((name, true)) = named(item) {
                    let name = format!("{}::{name}", full(module));
                    self.names.insert(Target::Item(module.clone(), index), name);
                }
            }
            self.names
                .insert(Target::Module(module.clone()), full(module));
        }
        // Shorter paths first.
        let mut open: Vec<(Name, String)> = vec![(Vec::new(), "pliant".into())];
        let mut listed = BTreeSet::new();
        while !open.is_empty() {
            let mut next = Vec::new();
            for (module, path) in open {
                if !listed.insert(path.clone()) {
                    continue;
                }
                for name in self.shown(&module, 0) {
                    let here = format!("{path}::{name}");
                    let targets = self.find(&module, &name, true, 0);
                    if targets.is_empty() {
                        // Of another crate.
                        self.lines.insert(format!("pub use {here}"));
                    }
                    for target in targets {
                        let own = self
                            .names
                            .entry(target.clone())
                            .or_insert_with(|| here.clone())
                            .clone();
                        if own != here {
                            self.lines.insert(format!("pub use {here} = {own}"));
                            continue;
                        }
                        match &target {
                            Target::Module(inner) => {
                                self.lines.insert(format!("pub mod {here}"));
                                next.push((inner.clone(), here.clone()));
                            }
                            Target::Item(module, index) => {
                                let lines = item_lines(&self.modules[module].items[*index], &here);
                                self.lines.extend(lines);
                            }
                        }
                    }
                }
            }
            open = next;
        }
    }

    /// Methods and traits of what has a public name.
    fn list_impls(&mut self) {
        let mut lines = Vec::new();
        for (module, own) in &self.modules {
            for item in &own.items {
                let Item::Impl(block) = item else {
                    continue;
                };
                if is_left_out(&block.attrs) {
                    continue;
                }
                let Type::Path(path) = &*block.self_ty else {
                    continue;
                };
                let segments: Name = path
                    .path
                    .segments
                    .iter()
                    .map(|part| part.ident.to_string())
                    .collect();
                let targets = self.resolve(module, &segments, 0);
                let Some(name) = targets.iter().find_map(|target| self.names.get(target)) else {
                    continue;
                };
                let generics = text(&block.generics);
                let arguments = &path.path.segments[segments.len() - 1].arguments;
                let limits = block
                    .generics
                    .where_clause
                    .as_ref()
                    .map(|limits| format!(" {}", text(limits)));
                let of = format!("{name}{}{}", text(arguments), limits.unwrap_or_default());
                if let Some((_, implemented, _)) = &block.trait_ {
                    let segments: Name = implemented
                        .segments
                        .iter()
                        .map(|part| part.ident.to_string())
                        .collect();
                    let found = self.resolve(module, &segments, 0);
                    let hidden = !found.is_empty()
                        && !found.iter().any(|target| self.names.contains_key(target));
                    if !hidden {
                        lines.push(format!("impl{generics} {} for {of}", text(implemented)));
                    }
                    continue;
                }
                let methods = block.items.iter().filter_map(|item| match item {
                    ImplItem::Fn(method) if is_public(&method.vis) => Some(signature(
                        &method.sig,
                        &format!("{name}::{}", method.sig.ident),
                    )),
                    ImplItem::Const(own) if is_public(&own.vis) => Some(format!(
                        "pub const {name}::{}: {}",
                        own.ident,
                        text(&own.ty)
                    )),
                    _ => None,
                });
                let before = lines.len();
                lines.extend(methods);
                if lines.len() > before && !generics.is_empty() {
                    lines.push(format!("impl{generics} {of}"));
                }
            }
        }
        self.lines.extend(lines);
    }

    fn list(&self) -> String {
        // By name, whatever kind of item it is.
        let key = |line: &&String| {
            let start = line.find("pliant").unwrap_or(0);
            (line[start..].to_string(), line[..start].to_string())
        };
        let mut lines: Vec<_> = self.lines.iter().collect();
        lines.sort_by_key(key);
        lines
            .iter()
            .fold(String::new(), |list, line| list + line + "\n")
    }
}

/// A function's signature with the full name in the place of its own.
fn signature(sig: &syn::Signature, path: &str) -> String {
    let own = format!("fn {}", sig.ident);
    format!("pub {}", text(sig).replacen(&own, &format!("fn {path}"), 1))
}

/// An item with what is public of it.
fn item_lines(item: &Item, name: &str) -> Vec<String> {
    let of =
        |kind: &str, generics: &syn::Generics| vec![format!("pub {kind} {name}{}", text(generics))];
    let field = |path: &str, index: usize, field: &syn::Field, always: bool| {
        let own = field
            .ident
            .as_ref()
            .map_or(index.to_string(), ToString::to_string);
        (always || is_public(&field.vis)).then(|| format!("pub {path}::{own}: {}", text(&field.ty)))
    };
    let fields = |path: &str, fields: &Fields, always: bool| -> Vec<String> {
        let all = fields.iter().enumerate();
        all.filter_map(|(index, own)| field(path, index, own, always))
            .collect()
    };
    match item {
        Item::Const(item) => vec![format!("pub const {name}: {}", text(&item.ty))],
        Item::Static(item) => vec![format!("pub static {name}: {}", text(&item.ty))],
        Item::Fn(item) => vec![signature(&item.sig, name)],
        Item::Type(item) => vec![format!(
            "pub type {name}{} = {}",
            text(&item.generics),
            text(&item.ty)
        )],
        Item::Struct(item) => {
            let mut lines = of("struct", &item.generics);
            lines.extend(fields(name, &item.fields, false));
            lines.extend(attributes(&item.attrs, name));
            lines
        }
        Item::Enum(item) => {
            let mut lines = of("enum", &item.generics);
            for variant in &item.variants {
                let own = format!("{name}::{}", variant.ident);
                lines.push(format!("pub {own}"));
                lines.extend(fields(&own, &variant.fields, true));
            }
            lines.extend(attributes(&item.attrs, name));
            lines
        }
        Item::Trait(item) => {
            let above = item
                .supertraits
                .iter()
                .map(text)
                .collect::<Vec<_>>()
                .join(" + ");
            let above = if above.is_empty() {
                above
            } else {
                format!(": {above}")
            };
            let mut lines = vec![format!("pub trait {name}{}{above}", text(&item.generics))];
            lines.extend(item.items.iter().filter_map(|item| match item {
                TraitItem::Fn(method) => Some(signature(
                    &method.sig,
                    &format!("{name}::{}", method.sig.ident),
                )),
                TraitItem::Const(own) => Some(format!(
                    "pub const {name}::{}: {}",
                    own.ident,
                    text(&own.ty)
                )),
                TraitItem::Type(own) => Some(format!("pub type {name}::{}", own.ident)),
                _ => None,
            }));
            lines
        }
        other => panic!("an item of a kind that is not listed yet: {}", text(other)),
    }
}

/// Derived traits, and whether further variants or fields may come.
fn attributes(attributes: &[Attribute], name: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for attribute in attributes {
        if attribute.path().is_ident("non_exhaustive") {
            lines.push(format!("#[non_exhaustive] {name}"));
        }
        if attribute.path().is_ident("derive") {
            let all = text(attribute);
            let all = all.trim_start_matches("#[derive(").trim_end_matches(")]");
            lines.extend(
                all.split(", ")
                    .map(|derived| format!("impl {derived} for {name}")),
            );
        }
    }
    lines
}

#[test]
fn the_public_surface_is_the_one_in_the_list() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| std::fs::read_to_string(root.join("src").join(path)).ok();
    let found = format!("{HEAD}{}", Surface::new(&read).list());
    let path = root.join(LIST);
    if std::env::var_os("PLIANT_RENEW").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let listed = std::fs::read_to_string(&path).unwrap_or_default();
    let lines = |text: &str| text.lines().map(String::from).collect::<BTreeSet<_>>();
    let (listed, found) = (lines(&listed), lines(&found));
    let sign = |sign: char, lines: Vec<&String>| {
        lines
            .iter()
            .map(|line| format!("{sign} {line}\n"))
            .collect::<String>()
    };
    let gone = sign('-', listed.difference(&found).collect());
    let new = sign('+', found.difference(&listed).collect());
    assert!(
        gone.is_empty() && new.is_empty(),
        "the public surface is another one than in {LIST}; if that is meant, renew it:\n\
         PLIANT_RENEW=1 cargo test --test embed surface\n{gone}{new}"
    );
}

/// What a crate shows of public and private modules, through re-exports, globs and renaming.
#[test]
fn a_small_crate_is_listed_in_full() {
    let file = |path: &Path| {
        let text = match path.to_str().unwrap() {
            "lib.rs" => {
                "pub mod open; mod closed; mod never { pub struct Unseen; }
                 pub use closed::{Thing as Renamed, make, make as built}; pub use open::Seen;
                 #[cfg(test)] pub mod tests {}"
            }
            "open.rs" => {
                "mod inner; pub use inner::*; pub struct Seen { pub a: [u8; 2], b: u8 }
                 impl Seen { pub fn b(&self) -> u8 { self.b } fn hidden(&self) {} }
                 constants! { /// A number; as it is.
                    N: U32 = 64; }"
            }
            "open/inner.rs" => {
                "#[derive(Clone, Debug)] #[non_exhaustive] pub enum Kind { One, Two { x: f32 }, Three(u8) }
                 pub(crate) struct Own; struct Private; trait Hidden {}
                 impl Default for Kind { fn default() -> Self { Self::One } } impl Hidden for Kind {}
                 pub trait Shows: Clone { const X: u8; fn show(&self); }"
            }
            "closed/mod.rs" => {
                "pub mod deep; pub struct Thing<T>(pub T, u8);
                 impl<T: Copy> Thing<T> { pub const fn get(
                     &self,
                     other: T,
                 ) -> T { self.0 } }
                 pub use deep::make; pub fn unreachable() {}"
            }
            "closed/deep.rs" => "pub fn make(name: &str) -> u8 { 0 }",
            _ => return None,
        };
        Some(text.to_string())
    };
    let want = "\
        pub struct pliant::Renamed<T>\n\
        pub pliant::Renamed::0: T\n\
        pub const fn pliant::Renamed::get(&self, other: T) -> T\n\
        impl<T: Copy> pliant::Renamed<T>\n\
        pub use pliant::Seen = pliant::open::Seen\n\
        pub fn pliant::built(name: &str) -> u8\n\
        pub use pliant::make = pliant::built\n\
        pub mod pliant::open\n\
        pub const pliant::open::CONSTANTS: &[(&str, Constant)]\n\
        pub enum pliant::open::Kind\n\
        #[non_exhaustive] pliant::open::Kind\n\
        impl Clone for pliant::open::Kind\n\
        impl Debug for pliant::open::Kind\n\
        impl Default for pliant::open::Kind\n\
        pub pliant::open::Kind::One\n\
        pub pliant::open::Kind::Three\n\
        pub pliant::open::Kind::Three::0: u8\n\
        pub pliant::open::Kind::Two\n\
        pub pliant::open::Kind::Two::x: f32\n\
        pub const pliant::open::N: u32\n\
        pub struct pliant::open::Seen\n\
        pub pliant::open::Seen::a: [u8; 2]\n\
        pub fn pliant::open::Seen::b(&self) -> u8\n\
        pub trait pliant::open::Shows: Clone\n\
        pub const pliant::open::Shows::X: u8\n\
        pub fn pliant::open::Shows::show(&self)\n";
    let found = Surface::new(&file).list();
    let sorted = |text: &str| text.lines().map(String::from).collect::<BTreeSet<_>>();
    assert_eq!(sorted(&found), sorted(want), "\n{found}");
}
