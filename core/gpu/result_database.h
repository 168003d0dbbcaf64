// Measured times that outlive the program: an SQLite database in the user's data folder, and the files of recorded
// results that come with the program. Kernels' times are keyed by compile::programKey, a hash of everything of a
// program that decides what the device does, so that a time is shown only for the program that it was taken of. Rows
// that older versions keyed by the source text alone are kept, but never found, because programs of several sizes share
// such a key. (What the window knows of the open target's states is session::Results.)
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/measure.h"

namespace loom::gpu {

// Everything that a time depends on. No field is empty.
struct ResultKey {
  std::string source;  // compile::programKey with the compile options; "vendor " + workloadKey for the vendor's library
  std::string compiler;  // "NVRTC 13.0"; "executor" for the CPU executor
  std::string device;    // "NVIDIA H200"
  std::string driver;    // the driver's CUDA version: "13.0"
  std::string method;    // Method::name(): how it was measured
};

// Where a result comes from. Measured: taken here, on a GPU. Recorded: taken elsewhere, and shipped with the program.
// Executed: run here by the CPU executor; such a time says nothing about a GPU, and nobody may `put` it.
enum class ResultOrigin { Measured, Recorded, Executed };
// Returns "measured", "recorded" or "executed on the CPU".
const char* originName(ResultOrigin origin);

// A result, in the form in which the database stores those of GPUs.
struct StoredResult {
  ResultKey key;
  Outcome outcome;   // whether the kernel was measured, its error and its times; or why it wasn't measured
  std::string date;  // day of the measurement in UTC: "2026-11-21"
  ResultOrigin origin = ResultOrigin::Measured;
};

// The database of results. Not thread-safe.
class ResultDatabase {
 public:
  // Opens the database, or creates it. A file that is damaged, that is no database, or whose table another program
  // made, is renamed to FILE.broken (FILE.broken2, … if that is taken) and replaced; `setAside` then says so. Error
  // "CantWrite" if the folder or the file can't be used, or if a newer version of this program wrote the file, which is
  // then left as it is.
  static Result<std::unique_ptr<ResultDatabase>> open(const std::filesystem::path& file);
  // Returns an empty database that is lost when the program ends. Never fails.
  static std::unique_ptr<ResultDatabase> inMemory();
  ~ResultDatabase();

  // Stores a result, in place of one with the same key. Error "CantWrite".
  Result<void> put(const StoredResult& result);
  // Returns the newest result (by date, of one day the one put last) whose key has this `source` and this `device`; an
  // empty `device` stands for any. Returns nothing if there is none, or if its outcome can't be read, because another
  // version of the program wrote it.
  std::optional<StoredResult> find(const std::string& source, const std::string& device) const;

  // Returns why the file that was there was set aside, and under which name; empty if it wasn't.
  const Message& setAside() const { return setAside_; }

  // Returns $XDG_DATA_HOME/tileloom/results.db or ~/.local/share/tileloom/results.db; empty if the user has no home.
  static std::filesystem::path defaultFile();

 private:
  ResultDatabase();
  struct Connection;
  std::unique_ptr<Connection> connection_;
  Message setAside_;
};

// One file of assets/recorded/, written by `tileloom record` from a run on a real device.
struct Recording {
  std::string target;   // the lesson whose states, the programs after each of its steps, were run
  std::string date;     // day of the run: "2026-11-21"
  std::string program;  // the version of this program that wrote the file
  DeviceInfo device;
  std::string compiler;
  std::string method;
  VendorOutcome vendor;
  std::string workload;  // workloadKey of the product that `vendor` was measured for; empty: none was
  struct Entry {
    std::string source;  // compile::programKey
    // The outcome's label is the number and text of the step ("0 start" for the state before the first); or, for one of
    // the configurations that a chapter of the lesson compares, their file's name and the values of the decisions:
    // "tiles bx=2 by=16".
    Outcome outcome;
  };
  std::vector<Entry> entries;
};
// Returns the recording as the JSON text of such a file.
std::string writeRecording(const Recording& recording);
// Reads such a text; `file` is named in errors. Errors: "ParseError"; "NewerVersion" if a newer version of the program
// wrote it; "OlderVersion" if its keys are of a kind that no longer identifies a program.
Result<Recording> readRecording(const std::string& text, const std::string& file);

// Returns the name of a product in keys: "matmul float16 1024x1024x1024 NT float32", or of a batch of 12 "matmul
// float16 12 of 512x512x64 NT float32", followed by the offsets and strides of matrices that aren't stored row by row
// without gaps, and by the digits that are kept of the factors where these aren't all.
std::string workloadKey(const Matmul& matmul);

}  // namespace loom::gpu
