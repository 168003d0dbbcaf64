#include "core/profile/ncu_csv.h"
#include "tests/fuzz/reader.h"

namespace loom::fuzz {

void ncu_csv(std::string_view bytes) { profile::readNcuCsv(std::string(bytes), "p.csv"); }

}  // namespace loom::fuzz
