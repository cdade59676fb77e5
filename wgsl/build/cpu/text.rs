//! Text with indentation.

/// Lines of Rust.
#[derive(Debug, Default)]
pub struct Text {
    text: String,
    depth: usize,
}

impl Text {
    /// Adds a line. One that ends with an opening brace begins a block, one that begins with a closing one ends it.
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if line.starts_with('}') {
            self.depth -= 1;
        }
        self.text.extend(std::iter::repeat_n("    ", self.depth));
        self.text.push_str(line);
        self.text.push('\n');
        if line.ends_with('{') {
            self.depth += 1;
        }
    }

    /// All of it.
    pub fn finish(self) -> String {
        self.text
    }
}
