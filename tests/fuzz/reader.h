// The functions that fuzzing feeds with arbitrary bytes: one for every kind of text that Tileloom reads from outside. A
// reader may accept or refuse its input; it must not crash, take over a second of CPU time, or more than a gigabyte.
#pragma once
#include <span>
#include <string_view>

namespace loom::fuzz {

// Reads the bytes as the program would, and drops the result.
using Read = void(std::string_view bytes);

Read tvmscript;  // functions and modules, which are also printed again
Read steps;      // schedules: step lines
Read replay;     // step lines, applied to a small matrix product
Read script;     // Python around a program or a schedule: pages, notebooks, scripts (core/notebook)
Read trace;      // traces as JSON, in one of two forms: plain, or TVM's graph of objects
Read document;   // a saved document (.tileloom), whose steps are applied
Read database;   // a tuner's database: the files "workload" and "records", packed into one text (packed_files.h)
Read lesson;     // the files of a lesson's folder, packed in the same way
Read device;     // read as a device (assets/devices), and once more as results of probing (assets/probed)
Read ncu_csv;    // the source page of Nsight Compute as CSV
Read frames;     // the messages between Tileloom and a worker, the process that runs kernels

// A reader with its name, which is also that of its folder in tests/fuzz/corpora.
struct Reader {
  std::string_view name;
  Read* read;
};

// Returns all of the readers above.
std::span<const Reader> readers();

}  // namespace loom::fuzz
