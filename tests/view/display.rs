//! An X server without a screen, and what a user does to its windows.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, CreateWindowAux,
    EventMask, InputFocus, PropMode, SELECTION_NOTIFY_EVENT, SelectionNotifyEvent,
    SelectionRequestEvent, Window, WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

const KEY_PRESS: u8 = 2;
const BUTTON_PRESS: u8 = 4;
const MOTION: u8 = 6;

/// The server; it ends with the test.
pub struct Display {
    server: Child,
    pub name: String,
    connection: RustConnection,
    root: Window,
}

impl Display {
    pub fn new() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("Xvfb: {error}; `tools/setup --window` installs it"));
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let name = format!(":{}", line.trim());
        let (connection, screen) = x11rb::connect(Some(&name)).unwrap();
        let root = connection.setup().roots[screen].root;
        Self { server, name, connection, root }
    }

    /// The window whose name ends so, once it is there.
    pub fn find(&self, name: &str) -> Window {
        let start = Instant::now();
        loop {
            let tree = self.connection.query_tree(self.root).unwrap().reply().unwrap();
            let named = |window: &&Window| {
                let property = self.connection.get_property(
                    false,
                    **window,
                    AtomEnum::WM_NAME,
                    AtomEnum::ANY,
                    0,
                    100,
                );
                let reply = property.unwrap().reply();
                reply.is_ok_and(|reply| reply.value.ends_with(name.as_bytes()))
            };
            if let Some(window) = tree.children.iter().find(named) {
                return *window;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "no window \"{name}\"");
            sleep(Duration::from_millis(50));
        }
    }

    pub fn focus(&self, window: Window) {
        let focus =
            self.connection.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME);
        focus.unwrap().check().unwrap();
        self.sync();
    }

    /// Presses and releases keys in order; releases come in reverse. Each is a keysym.
    pub fn keys(&self, keysyms: &[u32]) {
        let codes: Vec<u8> = keysyms.iter().map(|keysym| self.code(*keysym)).collect();
        for code in &codes {
            self.fake(KEY_PRESS, *code, 0, 0);
        }
        for code in codes.iter().rev() {
            self.fake(KEY_PRESS + 1, *code, 0, 0);
        }
        self.sync();
    }

    fn code(&self, keysym: u32) -> u8 {
        let setup = self.connection.setup();
        let (least, most) = (setup.min_keycode, setup.max_keycode);
        let mapping = self.connection.get_keyboard_mapping(least, most - least + 1).unwrap();
        let mapping = mapping.reply().unwrap();
        let mut rows = mapping.keysyms.chunks(usize::from(mapping.keysyms_per_keycode));
        let row = rows.position(|row| row.first() == Some(&keysym));
        least + row.unwrap_or_else(|| panic!("no key for {keysym:#x}")) as u8
    }

    pub fn move_to(&self, x: i16, y: i16) {
        self.fake(MOTION, 0, x, y);
        self.sync();
    }

    pub fn press(&self, button: u8) {
        self.fake(BUTTON_PRESS, button, 0, 0);
        self.sync();
    }

    pub fn release(&self, button: u8) {
        self.fake(BUTTON_PRESS + 1, button, 0, 0);
        self.sync();
    }

    fn fake(&self, kind: u8, detail: u8, x: i16, y: i16) {
        let sent = self.connection.xtest_fake_input(kind, detail, 0, self.root, x, y, 0);
        sent.unwrap().check().unwrap();
    }

    pub fn resize(&self, window: Window, width: u32, height: u32) {
        let size = ConfigureWindowAux::new().width(width).height(height);
        self.connection.configure_window(window, &size).unwrap().check().unwrap();
        self.sync();
    }

    /// As window managers minimise and restore.
    pub fn show(&self, window: Window, shown: bool) {
        let sent = match shown {
            true => self.connection.map_window(window),
            false => self.connection.unmap_window(window),
        };
        sent.unwrap().check().unwrap();
        self.sync();
    }

    /// As window managers ask a window to close.
    pub fn close(&self, window: Window) {
        let (protocols, delete) = (self.atom("WM_PROTOCOLS"), self.atom("WM_DELETE_WINDOW"));
        self.send(window, protocols, [delete, 0, 0, 0, 0]);
    }

    /// What the window shows: width, height, four bytes (blue, green, red, unused) per pixel.
    pub fn picture(&self, window: Window) -> (u32, u32, Vec<u8>) {
        let size = self.connection.get_geometry(window).unwrap().reply().unwrap();
        let format = x11rb::protocol::xproto::ImageFormat::Z_PIXMAP;
        let image =
            self.connection.get_image(format, window, 0, 0, size.width, size.height, u32::MAX);
        (size.width.into(), size.height.into(), image.unwrap().reply().unwrap().data)
    }

    /// Drops a file on a window, as a file manager does (XDND).
    pub fn drop_file(&self, window: Window, path: &std::path::Path) {
        let source = self.connection.generate_id().unwrap();
        let class = WindowClass::INPUT_OUTPUT;
        let aux = CreateWindowAux::new().event_mask(EventMask::PROPERTY_CHANGE);
        let made =
            self.connection.create_window(0, source, self.root, 0, 0, 1, 1, 0, class, 0, &aux);
        made.unwrap().check().unwrap();
        let [selection, list, copy] =
            ["XdndSelection", "text/uri-list", "XdndActionCopy"].map(|name| self.atom(name));
        let owned = self.connection.set_selection_owner(source, selection, x11rb::CURRENT_TIME);
        owned.unwrap().check().unwrap();
        let enter = [source, 5 << 24, list, 0, 0];
        self.send(window, self.atom("XdndEnter"), enter);
        let place = [source, 0, 300 << 16 | 200, x11rb::CURRENT_TIME, copy];
        self.send(window, self.atom("XdndPosition"), place);
        let uri = format!("file://{}\r\n", path.display());
        let (mut dropped, mut handed) = (false, false);
        let start = Instant::now();
        while !(dropped && handed) {
            assert!(start.elapsed() < Duration::from_secs(30), "the drop was not taken");
            match self.connection.poll_for_event().unwrap() {
                Some(Event::SelectionRequest(request)) => {
                    self.hand_over(request, uri.as_bytes());
                    handed = true;
                }
                Some(Event::ClientMessage(message)) if message.type_ == self.atom("XdndStatus") => {
                    if !dropped {
                        let drop = [source, 0, x11rb::CURRENT_TIME, 0, 0];
                        self.send(window, self.atom("XdndDrop"), drop);
                    }
                    dropped = true;
                }
                _ => sleep(Duration::from_millis(10)),
            }
        }
    }

    /// Gives the selection to the one who asks for it.
    fn hand_over(&self, request: SelectionRequestEvent, value: &[u8]) {
        let (to, property) = (request.requestor, request.property);
        let changed = self.connection.change_property8(
            PropMode::REPLACE,
            to,
            property,
            request.target,
            value,
        );
        changed.unwrap().check().unwrap();
        let notice = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor: to,
            selection: request.selection,
            target: request.target,
            property,
        };
        let sent = self.connection.send_event(false, to, EventMask::NO_EVENT, notice);
        sent.unwrap().check().unwrap();
    }

    fn send(&self, window: Window, kind: u32, data: [u32; 5]) {
        let event = ClientMessageEvent::new(32, window, kind, data);
        let sent = self.connection.send_event(false, window, EventMask::NO_EVENT, event);
        sent.unwrap().check().unwrap();
        self.sync();
    }

    fn atom(&self, name: &str) -> u32 {
        self.connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    fn sync(&self) {
        self.connection.sync().unwrap();
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
