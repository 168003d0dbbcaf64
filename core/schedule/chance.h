// The random generator of TVM's schedules. From the same state it draws the same numbers as TVM, on every machine: TVM
// uses the distributions of libstdc++, whose algorithms are implemented here.
#pragma once
#include <cstdint>
#include <vector>

namespace loom::schedule {

// TVM's linear congruential engine, which is std::minstd_rand: the state is its last number, 1…2^31-2.
class Chance {
 public:
  // Makes a generator with this state, 1…2^31-2.
  explicit Chance(std::int64_t state) : state_(state) {}
  // Returns the state of the generator for a seed: its remainder by 2^31-1, plus that modulus if it is negative; 1 for
  // a remainder of 0.
  static std::int64_t stateOf(std::int64_t seed);
  std::int64_t state() const { return state_; }

  // Returns a seed for another generator: tir.Schedule.fork_seed().
  std::int64_t fork();
  // Draws a number uniformly from [low, high), which must have 1 to 2^31-2 numbers. Returns `low`, and leaves the
  // state, if `low` is the only number.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  // Draws an index of `weights`, each with the probability of its weight's share in the sum. Returns 0, and leaves the
  // state, if there is at most one weight. Else at least one weight must be positive, and none negative.
  std::int64_t weighted(const std::vector<double>& weights);

 private:
  std::int64_t next();
  double real();  // uniform in [0, 1)

  std::int64_t state_;
};

// Draws `parts` factors of `extent` as sample_perfect_tile does, uniformly among all ways to write it as their product.
// `extent` and `parts` must be at least 1.
std::vector<std::int64_t> drawTiles(Chance& chance, std::int64_t extent, std::int64_t parts);

}  // namespace loom::schedule
