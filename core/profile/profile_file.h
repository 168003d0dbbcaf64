// Profiles as files: those taken here, one each in the user's data folder, and those taken on real devices that the
// program ships, one file a device and target in assets/profiled. They go by the key of the kernel's text, as results
// do; whether one belongs to the machine code at hand, `matches` says.
#pragma once
#include <filesystem>
#include <optional>

#include "core/ir/result.h"
#include "core/profile/stall_profile.h"

namespace loom::profile {

// A state's kernels, one launch each.
struct StateProfile {
  std::string source;  // compile::programKey of it
  std::string label;   // the step, for people; may be empty
  std::vector<StallProfile> kernels;
};

// A file of profiles: the samples of a state's kernels, with where they were taken.
struct ProfileFile {
  std::string target;    // lesson; empty for one taken here
  std::string date;      // "2026-11-22"
  std::string program;   // version that made it
  std::string device;    // "NVIDIA H200"
  std::string driver;    // its CUDA version
  std::string compiler;  // "NVRTC 13.0"
  Message tool;          // "ncu 2025.3.1.0"
  Message how;           // "second launch, caches as they are, clocks as they are"; in words, for people
  bool shipped = false;  // not in the file: where it was found
  std::vector<StateProfile> states;
  const StateProfile* find(const std::string& source) const;
};

// Writes profiles as JSON, one state a line.
std::string writeProfiles(const ProfileFile& file);
// Reads what `writeProfiles` wrote. Errors "ParseError", "NewerVersion", "OlderVersion" (its keys name no program).
Result<ProfileFile> readProfiles(const std::string& text, const std::string& name);

// Returns $XDG_DATA_HOME/tileloom/profiles or ~/.local/share/tileloom/profiles; empty if the user has no folder.
std::filesystem::path profileFolder();
// Returns the file name in that folder for a state's profile on a device. A later profile replaces an earlier one.
std::string profileFileName(const std::string& source, const std::string& device);

}  // namespace loom::profile
