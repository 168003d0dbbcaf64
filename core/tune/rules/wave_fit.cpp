#include "core/tune/rules/wave_fit.h"

namespace loom::tune {

WaveFit waveFit(std::int64_t m, std::int64_t n, std::int64_t batch, std::int64_t tileM, std::int64_t tileN,
                std::int64_t multiprocessors) {
  const auto up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  WaveFit fit;
  fit.tiles = up(m, tileM) * up(n, tileN) * batch;
  fit.waves = up(fit.tiles, multiprocessors);
  fit.columns = fit.waves * tileN;
  fit.filled = double(fit.tiles) / double(fit.waves * multiprocessors);
  return fit;
}

}  // namespace loom::tune
