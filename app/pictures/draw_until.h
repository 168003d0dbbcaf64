#pragma once

#include <chrono>
#include <functional>

namespace loom::window {

/// Exit statuses of what opens a file and draws it: the file can't be read; a picture can't be written.
constexpr int kUnreadable = 2, kCannotWrite = 74;

class Host;
class Workbench;

/// What a picture waits for a state's model, at most.
inline constexpr std::chrono::seconds kLongestModel{240};

/// Frames until `there` holds; false when it doesn't in time.
bool drawUntil(Host& host, Workbench& workbench, const std::function<bool()>& there,
               std::chrono::seconds longest = std::chrono::seconds{60});

}  // namespace loom::window
