// libFuzzer's entry, compiled once for each reader: TILELOOM_FUZZ_READER is its name.
#ifdef TILELOOM_FUZZ_READER
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "tests/fuzz/reader.h"

namespace {

double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

}  // namespace

// libFuzzer's own limit goes by the wall clock, which a busy machine stretches; this one counts what the reader took.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const double before = cpuSeconds();
  loom::fuzz::TILELOOM_FUZZ_READER({reinterpret_cast<const char*>(data), size});
  const double took = cpuSeconds() - before;
  if (took > 1) {
    std::fprintf(stderr, "the reader took %.2f s\n", took);
    std::abort();
  }
  return 0;
}
#endif
