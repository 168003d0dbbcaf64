#include "core/document/target.h"
#include "core/document/tuner_database.h"
#include "tests/fuzz/packed_files.h"
#include "tests/fuzz/reader.h"

namespace loom::fuzz {

void database(std::string_view bytes) {
  const auto files = unpack(bytes);
  const auto file = [&](const char* name) {
    const auto found = files.find(name);
    return found == files.end() ? std::string() : found->second;
  };
  auto read = document::readDatabase(file("workload"), file("records"), {"w.json", "r.json"});
  if (!read) return;
  constexpr std::size_t kOpened = 2;
  for (std::size_t i = 0; i < read->workloads.size() && i < kOpened; ++i) document::openWorkload(*read, i);
  for (std::size_t i = 0; i < read->records.size() && i < kOpened; ++i) document::openRecord(*read, i, {});
}

}  // namespace loom::fuzz
