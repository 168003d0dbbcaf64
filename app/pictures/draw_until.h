#pragma once

#include <chrono>
#include <functional>

namespace loom::window {

class Host;
class Workbench;

/// What a picture waits for a state's model, at most.
inline constexpr std::chrono::seconds kLongestModel{60};

/// Frames until `there` holds; false when it doesn't in time.
bool drawUntil(Host& host, Workbench& workbench, const std::function<bool()>& there,
               std::chrono::seconds longest = std::chrono::seconds{60});

}  // namespace loom::window
