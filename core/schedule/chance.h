// Random numbers as TVM's schedules draw them: the same state gives the same numbers here and there, on every machine
// (TVM draws by the distributions of libstdc++, which are written out here).
#pragma once
#include <cstdint>
#include <vector>

namespace loom::schedule {

// TVM's linear congruential engine, which is std::minstd_rand: the state is its last number, 1…2^31-2.
class Chance {
 public:
  // Goes on from a state.
  explicit Chance(std::int64_t state) : state_(state) {}
  // The state that a seed gives: its remainder by 2^31-1, never 0 or below.
  static std::int64_t stateOf(std::int64_t seed);
  std::int64_t state() const { return state_; }

  // A seed for another one: tir.Schedule.fork_seed().
  std::int64_t fork();
  // Uniform in [low, high); `low` without drawing where that is all there is.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  // The index of a weight, each as likely as its share of the sum. Without drawing where there is only one. There must
  // be a weight above 0, and none below.
  std::int64_t weighted(const std::vector<double>& weights);

 private:
  std::int64_t next();
  double real();  // uniform in [0, 1)

  std::int64_t state_;
};

// `parts` factors of `extent`, uniform over all ways to write it as their product. `extent` and `parts` must be at
// least 1.
std::vector<std::int64_t> drawTiles(Chance& chance, std::int64_t extent, std::int64_t parts);

}  // namespace loom::schedule
