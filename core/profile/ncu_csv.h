// Reads the source page of Nsight Compute as CSV, which is the output of `ncu --import REPORT --page source --csv
// --print-source sass`, or of a profiling run with the same options; other lines of ncu before and after it are
// skipped.
#pragma once
#include "core/ir/result.h"
#include "core/profile/stall_profile.h"

namespace loom::profile {

// A record of comma-separated values (RFC 4180).
struct CsvRecord {
  std::vector<std::string> fields;
  int line = 0;         // number of the line in which the record begins, from 1
  bool quoted = false;  // whether the first field is quoted
};
// Reads records of comma-separated values; a blank line is a record with one empty field. Error "ParseError" for a
// quoted field that never ends.
Result<std::vector<CsvRecord>> readCsv(const std::string& text);

// Returns the samples of each kernel launch in the text, in order. Of consecutive equal ones only the first is
// returned, since ncu may print a launch twice. Columns are found by name; unknown columns are skipped; "-" and an
// empty field count as 0. `file` is the name for messages. Error "ParseError": there is no kernel, there are no samples
// of stalls (another page or section), a row is cut off, has no number in the place of one or an address that doesn't
// ascend, or the samples by reason add up to more than all samples.
Result<std::vector<StallProfile>> readNcuCsv(const std::string& text, const std::string& file);

// The clocks of a kernel launch.
struct LaunchClocks {
  std::string kernel;  // the kernel's name as ncu prints it, without parameters
  WarpClocks clocks;
};

// The metrics that WarpClocks::occupied and WarpClocks::whole come from, as `ncu --metrics` takes them.
inline constexpr const char* kOccupiedMetric = "smsp__cycles_active.avg";
inline constexpr const char* kWholeMetric = "smsp__cycles_elapsed.avg";

// Returns the clocks of each kernel launch, in order, from the raw page of Nsight Compute as CSV: the output of `ncu
// --import REPORT --page raw --csv --print-units base`. Empty if the text has no table with both metrics, or no row
// with numbers of clocks.
std::vector<LaunchClocks> readNcuClocks(const std::string& text);

}  // namespace loom::profile
