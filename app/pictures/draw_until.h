#pragma once

#include <chrono>
#include <functional>

namespace loom::window {

/// Exit statuses of the verbs that open a file and draw pictures of it: kUnreadable if the file can't be read,
/// kCannotWrite if a picture can't be written.
constexpr int kUnreadable = 2, kCannotWrite = 74;

class Host;
class Workbench;

/// The longest time (`longest` of drawUntil) that a picture waits for the cost model's result for the program that it
/// shows.
inline constexpr std::chrono::seconds kLongestModel{240};

/// Draws frames of the workbench in the window `host` until `there`, which is called before each frame, returns true.
/// Returns false if it hasn't after `longest`.
bool drawUntil(Host& host, Workbench& workbench, const std::function<bool()>& there,
               std::chrono::seconds longest = std::chrono::seconds{60});

}  // namespace loom::window
