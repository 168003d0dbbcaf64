#include "tests/fuzz/reader.h"

namespace loom::fuzz {

std::span<const Reader> readers() {
  static constexpr Reader kAll[] = {{"tvmscript", tvmscript}, {"steps", steps},   {"replay", replay},
                                    {"script", script},       {"trace", trace},   {"document", document},
                                    {"database", database},   {"lesson", lesson}, {"device", device},
                                    {"ncu_csv", ncu_csv},     {"frames", frames}};
  return kAll;
}

}  // namespace loom::fuzz
