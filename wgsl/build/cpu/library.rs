//! All that has been translated: one of each.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::{fs, io};

use super::lanes;
use super::text::Text;

/// Modules by name, structs, and the table of kernels.
#[derive(Debug, Default)]
pub struct Library {
    structs: Pool,
    /// The same of several invocations at a time.
    lanes_structs: Pool,
    modules: BTreeMap<String, File>,
    kernels: BTreeMap<String, String>,
}

/// A WGSL file.
#[derive(Debug, Default)]
struct File {
    path: String,
    /// Whether it is of several invocations at a time.
    lanes: bool,
    functions: Pool,
    /// The modules that it needs.
    uses: BTreeSet<String>,
}

/// Things by name. Where those of one name differ, all but the first get a number.
#[derive(Debug, Default)]
struct Pool {
    variants: HashMap<String, Vec<String>>,
    text: String,
}

impl Pool {
    /// The name of what this is the text of, with `$` for its name.
    fn name(&mut self, name: &str, body: String) -> String {
        let variants = self.variants.entry(name.to_owned()).or_default();
        let known = variants.iter().position(|variant| *variant == body);
        let name = match known.unwrap_or(variants.len()) {
            0 => name.to_owned(),
            number => format!("{name}_v{}", number + 1),
        };
        if known.is_none() {
            self.text.push('\n');
            self.text.push_str(&body.replace('$', &name));
            variants.push(body);
        }
        name
    }
}

/// The module of a WGSL file.
pub fn module_of(lanes: bool, path: &str) -> String {
    format!("{}{}", if lanes { lanes::PREFIX } else { "" }, path.replace('/', "_"))
}

impl Library {
    /// The name of a struct.
    pub fn structure(&mut self, lanes: bool, name: &str, body: String) -> String {
        let structs = if lanes { &mut self.lanes_structs } else { &mut self.structs };
        structs.name(name, body)
    }

    /// The path of a function of a WGSL file that calls functions of other modules; `lanes`: of several invocations at a time.
    pub fn function(
        &mut self,
        lanes: bool,
        path: &str,
        name: &str,
        body: String,
        uses: BTreeSet<String>,
    ) -> String {
        let module = module_of(lanes, path);
        let file = self.modules.entry(module.clone()).or_default();
        (file.path, file.lanes) = (path.to_owned(), lanes);
        file.uses.extend(uses);
        format!("{module}::{}", file.functions.name(name, body))
    }

    /// Adds a kernel to the table: the text of its entry.
    pub fn kernel(&mut self, name: &str, entry: String) {
        self.kernels.insert(name.to_owned(), entry);
    }

    /// Writes all modules, and `kernels.rs`, which holds them together.
    pub fn write(&self, out: &Path) -> io::Result<()> {
        let mut all = Text::default();
        let mut module = |name: &str, text: String| {
            let file = out.join(name).with_extension("rs");
            if name.starts_with(lanes::PREFIX) {
                all.line(lanes::WHERE);
            }
            all.line(format!("#[path = {file:?}]"));
            all.line(format!("mod {name};"));
            // What has not changed is not compiled again.
            match fs::read_to_string(&file).is_ok_and(|old| old == text) {
                true => Ok(()),
                false => fs::write(file, text),
            }
        };
        for (name, file) in &self.modules {
            module(name, file.text())?;
        }
        let uses = "use std::sync::atomic::AtomicU32;\n\n\
                    use super::rt::{self, Matrix, Stored, Vec2, Vec3, Vec4, Zero};\nuse super::types;\n";
        module("types", format!("{uses}{}", self.structs.text))?;
        let uses = "use super::rt::lanes::{self as rt, F, I, M, S, U};\nuse super::rt::{Matrix, Vec2, Vec3, Vec4};\n\
                    use super::lanes_types as types;\n";
        module("lanes_types", format!("{uses}{}", self.lanes_structs.text))?;
        all.line("");
        all.line("/// All kernels, by name.");
        all.line("pub const KERNELS: &[rt::Kernel] = &[");
        for entry in self.kernels.values() {
            all.line(entry);
        }
        all.line("];");
        fs::write(out.join("kernels.rs"), all.finish())
    }
}

impl File {
    fn text(&self) -> String {
        let mut text = Text::default();
        text.line("use std::ops::Range;");
        text.line("use std::sync::atomic::AtomicU32;");
        text.line("");
        let types = if self.lanes {
            text.line("use super::rt::lanes::{self as rt, F, I, M, S, U};");
            text.line("use super::rt::{Matrix, Vec2, Vec3, Vec4};");
            "lanes_types as types"
        } else {
            text.line("use super::rt::{self, At, Matrix, Vec2, Vec3, Vec4, Zero};");
            "types"
        };
        let uses: Vec<_> = self.uses.iter().map(String::as_str).collect();
        text.line(format!(
            "use super::{{Content, {}}};",
            [&[types][..], &uses].concat().join(", ")
        ));
        if !self.lanes {
            text.line("");
            text.line(format!("const FILE: &str = \"wgsl/{}.wgsl\";", self.path));
        }
        text.finish() + &self.functions.text
    }
}
