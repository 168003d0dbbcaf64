#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/session/state_model.h"
#include "app/text/text.h"
#include "core/document/bench.h"
#include "core/document/target.h"
#include "core/script/line_diff.h"
#include "core/tune/size_sweep.h"

namespace loom::report {

/// A state on the path, with what is known of it.
struct Step {
  int node = 0, parent = -1;           ///< in the history
  int number = 0;                      ///< as everywhere: steps from the start
  std::string name, note;              ///< given by the user
  std::string source;                  ///< the step's line; empty for the start
  std::vector<std::string> accessors;  ///< lines before it that change nothing
  std::optional<Error> problem;        ///< why it is no kernel
  bool singleThread = false;           ///< one GPU thread does all
  std::optional<gpu::StoredResult> result;
  std::string device;                  ///< that the result is from
  std::optional<double> microseconds;  ///< median; none where nothing is measured or it took too long
  std::optional<double> overPrevious, overFirst, vendorShare;  ///< as document::TimeRow
  int registers = -1, spillBytes = -1;                         ///< of the first kernel as compiled; -1: not known
  std::int64_t sharedBytes = -1;                               ///< of a block of the first kernel; -1: no kernel
  std::vector<std::string> script, cuda;
  script::LineDiff scriptDiff, cudaDiff;  ///< against the state it was made from
  session::LoopNest nest;
  std::shared_ptr<const session::StateModel> model;  ///< never null; of a state that is no kernel: its memory alone

  /// Returns the throughput by the time; nothing if there is no time, or if the function isn't a matrix product.
  std::optional<double> tflops() const;
};

/// A chapter of the lesson, with the steps that it has.
struct Chapter {
  std::string title, text;  ///< text: Markdown of the lesson
  std::vector<int> steps;   ///< indices of Report::steps
};

/// A path of states, or all chapters of a lesson, with what is known of them.
struct Report {
  std::string title;     ///< the target's
  std::string headline;  ///< the lesson's title; else the target's
  text::Language language = text::Language::kEnglish;
  std::vector<Step> steps;
  std::vector<Chapter> chapters;  ///< at least one; of a target without lesson one without a title
  std::optional<document::VendorLine> vendor;
  std::string workload;   ///< "matmul float16 1024x1024x1024 NT float32"; empty: no matrix product
  bool compiled = false;  ///< whether a compiler was there
  std::string date;       ///< when the report was made

  const Step* fastest() const;
};

/// The states of the path to `node`; of `kWholeLesson` all of the lesson's, branches included. Times are those that
/// `bench` knows: nothing is measured. The model speaks of its device, else of the one that the recorded times are of.
/// Compiles where a compiler is.
inline constexpr int kWholeLesson = -1;
/// Called for each state that is worked out: how many are, of how many. False: to give up, with `Stopped`.
using Progress = std::function<bool(int done, int of)>;
/// The exception that `collect` throws when `Progress` asks it to stop.
struct Stopped {};
/// Throws `Stopped` where `progress` says so, and nothing else.
Report collect(const document::Target& target, int node, document::Bench& bench, text::Language language,
               const Progress& progress = {});

/// Returns the report as one HTML file that needs neither network nor scripts.
std::string html(const Report& report);
/// Returns the table as CSV (RFC 4180, UTF-8), a row per state and one of the vendor, times in microseconds.
std::string csv(const Report& report);
/// Returns a sweep over sizes as CSV, a row per size and state, and one of the vendor if its time is known; as above.
std::string csv(const tune::Sweep& sweep, const document::History& history);
/// Returns the chart of the times of states on a logarithmic scale, with the vendor's line, as SVG.
std::string timeChart(const Report& report, bool standalone = false);
/// Returns a lesson's Markdown (paragraphs, **strong**, *emphasis*, `code`) as HTML.
std::string richText(const std::string& markdown);

/// Returns the kinds of exports: document::exportKinds, then "report" and "csv".
const std::vector<std::string>& exportKinds();
/// Exports a state: by document::exportState for its kinds, or as a report. `node` may be kWholeLesson only for
/// reports, which alone tell of progress. Throws `Stopped` as `collect` does.
Result<std::map<std::string, std::string>> exportState(const document::Target& target, int node,
                                                       const std::string& kind, document::Bench& bench,
                                                       const schedule::Environment& environment,
                                                       text::Language language, const Progress& progress = {});

}  // namespace loom::report
