// Measured times that last: an SQLite database in the user's data folder, and files of results recorded on real devices
// that the program ships. Both go by compile::programKey, so that a time is shown only for the program it was taken of.
// What older versions kept goes by the text alone, which programs of several sizes share: it stays, and is found no
// more.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/measure.h"

namespace loom::gpu {

// Everything that decides a time.
struct ResultKey {
  std::string source;    // compile::programKey, options included; "vendor" + workload for the vendor's line
  std::string compiler;  // "NVRTC 13.0"
  std::string device;    // "NVIDIA H200"
  std::string driver;
  std::string method;  // Method::name()
};

// Here on a GPU; elsewhere and shipped; here by the CPU executor, whose time says nothing of a GPU and is never stored.
enum class ResultOrigin { Measured, Recorded, Executed };
// "measured", "recorded", "executed on the CPU".
const char* originName(ResultOrigin origin);

struct StoredResult {
  ResultKey key;
  Outcome outcome;
  std::string date;  // "2026-11-21", of the measurement
  ResultOrigin origin = ResultOrigin::Measured;
};

class Results {
 public:
  // Opens or makes the database. "CantWrite" when the folder or file can't be used. A file that is no database, a
  // broken one, or one whose table is another program's, is set aside as FILE.broken and a new one begun; `setAside`
  // says so. One that a newer program keeps is left alone: "CantWrite". `inMemory` never fails.
  static Result<std::unique_ptr<Results>> open(const std::filesystem::path& file);
  static std::unique_ptr<Results> inMemory();
  ~Results();

  Result<void> put(const StoredResult& result);
  // The newest one for the key's source on the device; any device when `device` is empty.
  std::optional<StoredResult> find(const std::string& source, const std::string& device) const;

  // Why and where the old file was set aside; "" when it wasn't.
  const Message& setAside() const { return setAside_; }

  // $XDG_DATA_HOME/tileloom/results.db or ~/.local/share/tileloom/results.db; empty where the user has no folder.
  static std::filesystem::path defaultFile();

 private:
  Results();
  struct Database;
  std::unique_ptr<Database> database_;
  Message setAside_;
};

// One file of assets/recorded/, written by `tileloom record` from a run on a real device.
struct Recording {
  std::string target;   // lesson
  std::string date;     // of the run
  std::string program;  // version that made it
  DeviceInfo device;
  std::string compiler;
  std::string method;
  VendorOutcome vendor;
  std::string workload;  // key of the vendor's line
  struct Entry {
    std::string source;  // compile::programKey
    Outcome outcome;     // label: the step
  };
  std::vector<Entry> entries;
};
std::string writeRecording(const Recording& recording);
// Error "ParseError", "NewerVersion", "OlderVersion" (keys that name no program).
Result<Recording> readRecording(const std::string& text, const std::string& file);

// What names a matmul in keys: "matmul float16 1024x1024x1024 NT float32", and where matrices lie that have gaps.
std::string workloadKey(const Matmul& matmul);

}  // namespace loom::gpu
