// Profiles (samples of warp stalls) as files. Profiles that were taken on this machine are in the user's data folder,
// one file for each state (program after some schedule steps) and device; profiles that come with the program are in
// assets/profiled, one file for each device and lesson. A profile is found by the key of the CUDA text that the state's
// kernels have together.
#pragma once
#include <filesystem>
#include <optional>

#include "core/ir/result.h"
#include "core/profile/stall_profile.h"

namespace loom::profile {

// The samples of one launch of each kernel of a state.
struct StateProfile {
  std::string source;  // the key of the state's CUDA text (compile::programKey)
  std::string label;   // the step that made the state, for people; may be empty
  std::vector<StallProfile> kernels;
  // Returns the sum of the samples of all kernels.
  StallCount total() const;
  // Returns the share of the kernels' clocks, 0 to 1, in which a sub-partition of a multiprocessor had a warp, as the
  // mean over all sub-partitions: it has none before its first block comes and after its last one ends. Nothing if a
  // kernel's clocks weren't counted.
  std::optional<double> occupiedShare() const;
};

// A file of profiles: the samples of the kernels of one or more states, and how they were taken.
struct ProfileFile {
  std::string target;    // the lesson's name; empty for a profile that was taken on this machine
  std::string date;      // the day of the sampling, "2026-11-22"
  std::string program;   // the version of Tileloom that took the samples
  std::string device;    // "NVIDIA H200"
  std::string driver;    // the CUDA version of the driver
  std::string compiler;  // "NVRTC 13.0"
  Message tool;          // "ncu 2025.3.1.0"
  Message how;           // "second launch, caches as they are, clocks as they are"; in words, for people
  bool shipped = false;  // whether the file comes with the program; set by who calls `readProfiles`, not stored
  std::vector<StateProfile> states;
  // Returns the profile of the state with this key; null if there is none.
  const StateProfile* find(const std::string& source) const;
};

// Writes profiles as JSON, one state a line:
//
//     {"profiles": version, "target", "date", "program", "device", "driver", "compiler", "tool", "how",
//      "reasons": [names of stall reasons], "states": [{"source", "label",
//      "kernels": [{"kernel", "code": [[offset, text, executed, reason, samples, samples not issued, reason, …],
//      …]}]}]}
//
// A row of "code" is an instruction (InstructionStalls); `reason` is an index into "reasons", and reasons without
// samples are left out.
// "tool_words" and "how_words", if there are any, hold "tool" and "how" for other languages.
std::string writeProfiles(const ProfileFile& file);
// Reads what `writeProfiles` wrote. `name` is the file's name, for messages. Errors: "ParseError"; "NewerVersion" for a
// file of a newer program; "OlderVersion" for a file whose keys are made in an older way, so that they match no kernel.
Result<ProfileFile> readProfiles(const std::string& text, const std::string& name);

// Returns $XDG_DATA_HOME/tileloom/profiles or ~/.local/share/tileloom/profiles, which may not exist yet; empty if the
// user has no home folder either.
std::filesystem::path profileFolder();
// Returns the file name in that folder for the profile of the state with key `source` on a device. A later profile has
// the same name and replaces an earlier one.
std::string profileFileName(const std::string& source, const std::string& device);

}  // namespace loom::profile
