//! Pictures of the window as files: screenshots, and frames of a recording.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use pliant::render::{Image, Picture, write_png};
use pliant::{Context, Error, Result};

use super::gui::Painted;
use super::stage::Stage;
use super::viewer::Viewer;

/// Draws pictures beside the window and writes them; a file is written while the next picture is drawn.
pub struct Capture {
    context: Context,
    folder: PathBuf,
    format: wgpu::TextureFormat,
    picture: Option<Picture>,
    recording: Option<Recording>,
    writing: Option<JoinHandle<Result<()>>>,
}

/// What is to be in a picture, and what draws it.
pub struct Shown<'a> {
    pub stage: &'a mut Stage,
    pub viewer: &'a mut Viewer,
    /// Of the picture [pixels].
    pub size: [u32; 2],
    pub painted: &'a Painted,
}

/// A recording under way.
struct Recording {
    folder: PathBuf,
    frames: u64,
    /// Of its frames [pixels]; none before the first.
    size: Option<[u32; 2]>,
}

impl Capture {
    /// Into this folder, which is made when first needed; `format` as the window's.
    pub fn new(context: &Context, folder: &Path, format: wgpu::TextureFormat) -> Self {
        Self {
            context: context.clone(),
            folder: folder.into(),
            format,
            picture: None,
            recording: None,
            writing: None,
        }
    }

    /// Frames of the recording under way.
    pub fn recorded(&self) -> Option<u64> {
        self.recording.as_ref().map(|recording| recording.frames)
    }

    /// Starts a recording in a new folder, or ends the one under way; returns its folder.
    pub fn toggle(&mut self) -> Result<PathBuf> {
        if let Some(recording) = self.recording.take() {
            return Ok(recording.folder);
        }
        let recording = self.begin()?;
        let folder = recording.folder.clone();
        self.recording = Some(recording);
        Ok(folder)
    }

    fn begin(&self) -> Result<Recording> {
        let folder = free(&self.folder, "recording", "")?;
        std::fs::create_dir_all(&folder).map_err(|error| Error::io(&folder, error))?;
        Ok(Recording { folder, frames: 0, size: None })
    }

    /// Writes what is shown as the next frame of the recording, which goes on in a new folder where the size is another.
    /// An error ends it.
    pub fn frame(&mut self, shown: &mut Shown<'_>) -> Result<()> {
        let Some(recording) = self.recording.take() else {
            return Ok(());
        };
        let written = self.next_frame(recording, shown);
        if written.is_err() {
            shown.viewer.by_frames = false;
        }
        written
    }

    fn next_frame(&mut self, mut recording: Recording, shown: &mut Shown<'_>) -> Result<()> {
        if recording.size.is_some_and(|other| other != shown.size) {
            recording = self.begin()?;
            let text = format!("recording into {}", recording.folder.display());
            shown.viewer.say(text);
        }
        let path = recording.folder.join(format!("frame_{:05}.png", recording.frames));
        let mut written = self.write(path, shown);
        if recording.frames == 0 {
            // A disk that is full is full for the first.
            written = written.and_then(|()| self.finish());
            if written.is_err() {
                // It is empty, or stays.
                let _ = std::fs::remove_dir(&recording.folder);
            }
        }
        written?;
        recording.frames += 1;
        recording.size = Some(shown.size);
        self.recording = Some(recording);
        Ok(())
    }

    /// Writes what is shown as a file of its own; returns its name.
    pub fn screenshot(&mut self, shown: &mut Shown<'_>) -> Result<PathBuf> {
        std::fs::create_dir_all(&self.folder).map_err(|error| Error::io(&self.folder, error))?;
        let path = free(&self.folder, "screenshot", ".png")?;
        self.write(path.clone(), shown)?;
        self.finish()?;
        Ok(path)
    }

    /// Draws a picture and brings it to the host.
    pub fn image(&mut self, shown: &mut Shown<'_>) -> Result<Image> {
        let fits = |picture: &Picture| picture.size() == shown.size;
        let picture = match self.picture.take().filter(fits) {
            Some(picture) => picture,
            None => Picture::new(&self.context, shown.size, self.format)?,
        };
        let picture = self.picture.insert(picture);
        let (view, layer) = (picture.view(), shown.painted.recorded());
        shown.stage.draw(shown.viewer, view, shown.size, layer)?;
        let pending = picture.begin_read();
        picture.finish_read(pending)
    }

    /// Waits for the last file.
    pub fn finish(&mut self) -> Result<()> {
        let Some(writing) = self.writing.take() else {
            return Ok(());
        };
        let failed = |_| Err(Error::Device("writing a picture failed".into()));
        writing.join().unwrap_or_else(failed)
    }

    fn write(&mut self, path: PathBuf, shown: &mut Shown<'_>) -> Result<()> {
        let image = self.image(shown)?;
        self.finish()?;
        self.writing = Some(std::thread::spawn(move || write_png(&path, &image)));
        Ok(())
    }
}

/// The first name of `name_0001`, `name_0002` … that nothing in the folder has.
fn free(folder: &Path, name: &str, end: &str) -> Result<PathBuf> {
    let paths = (1..10_000).map(|number| folder.join(format!("{name}_{number:04}{end}")));
    let mut free = paths.filter(|path| !path.exists());
    free.next().ok_or_else(|| {
        let got = format!("without a free name from {name}_0001 to {name}_9999");
        Error::value(folder.display().to_string(), got, "another folder")
    })
}
