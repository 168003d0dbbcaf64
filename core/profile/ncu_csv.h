// The source page of Nsight Compute as CSV: `ncu --import REPORT --page source --csv --print-source sass`, or the same
// of a live run, whose own words may stand around it.
#pragma once
#include "core/ir/result.h"
#include "core/profile/stall_profile.h"

namespace loom::profile {

// A record of RFC 4180 and the line, from 1, that it begins in.
struct CsvRecord {
  std::vector<std::string> fields;
  int line = 0;
  bool quoted = false;  // its first field is
};
// Reads records of comma-separated values. Error "ParseError" for a quoted field that never ends.
Result<std::vector<CsvRecord>> readCsv(const std::string& text);

// Reads each launch in the text, in order; a launch that ncu prints twice is read once. Columns are found by name;
// unknown ones are skipped. `file` is for messages. Errors "ParseError": no kernel, no samples of stalls (another page
// or section), a row that is cut or holds no number, reasons that add up to more than the samples.
Result<std::vector<StallProfile>> readNcuCsv(const std::string& text, const std::string& file);

}  // namespace loom::profile
