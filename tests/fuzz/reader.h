// What is fed with arbitrary bytes: every reader of text that comes from outside. A reader may refuse or accept; it
// must not crash, take over a second, or more than a gigabyte.
#pragma once
#include <span>
#include <string_view>

namespace loom::fuzz {

// Reads the bytes as the program would and drops what comes of it. Aborts where something holds that never may.
using Read = void(std::string_view bytes);

Read tvmscript;  // functions and modules, printed again
Read steps;      // schedules: step lines
Read replay;     // step lines, applied to a small matrix product
Read script;     // Python around a program or a schedule: pages, notebooks, scripts (core/notebook)
Read trace;      // traces as JSON: plain, and TVM's graph of objects
Read document;   // NAME.tileloom, its steps applied
Read database;   // a tuner's, and the programs that TVM saved, as `packed files`
Read lesson;     // a lesson's folder, as `packed files` (packed_files.h)
Read device;     // assets/devices and assets/probed
Read ncu_csv;    // the source page of Nsight Compute
Read frames;     // what a worker sends, or is sent

struct Reader {
  std::string_view name;  // its folder in tests/fuzz/corpora
  Read* read;
};

// All of the above.
std::span<const Reader> readers();

}  // namespace loom::fuzz
