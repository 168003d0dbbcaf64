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

/// A state of the report, which is the program after a number of schedule steps, with the last of these steps and what
/// is known of both.
struct Step {
  int node = 0, parent = -1;           ///< indices in the history of the state and the one before; -1: it is the start
  int number = 0;                      ///< number of steps from the start of the history to this state
  std::string name, note;              ///< given to the state by the user; empty: none
  std::string source;                  ///< the step's line; empty for the start
  std::vector<std::string> accessors;  ///< lines right before the step that only look up blocks and loops
  std::optional<Error> problem;        ///< why the state is no kernel; nothing: it is one
  bool singleThread = false;           ///< whether one GPU thread executes the whole kernel
  std::optional<gpu::StoredResult> result;  ///< the stored measurement; nothing: there is none
  std::string device;                       ///< name of the device that `result` is from; empty: no result
  std::optional<double> microseconds;       ///< median time on a GPU; nothing: not measured, failed, wrong or too slow
  /// Another time divided by this state's: that of the closest measured state before this one, that of the first
  /// measured state before this one, and that of the vendor's library. The states before a state are its ancestors; in
  /// a lesson also the last state of the chapter that its own chapter is compared with, and the ancestors of that state
  /// (document::timeRows). Nothing if either time is missing or the two are from different devices; the first two also
  /// if no state before this one was measured.
  std::optional<double> overPrevious, overFirst, vendorShare;
  /// Of the first kernel as compiled: registers per thread, and bytes that a thread spills plus those that it reads
  /// back; -1: not known.
  int registers = -1, spillBytes = -1;
  std::int64_t sharedBytes = -1;          ///< shared memory of a thread block of the first kernel; -1: no kernel
  std::vector<std::string> script, cuda;  ///< lines of the TVMScript and CUDA texts; no CUDA: the state is no kernel
  script::LineDiff scriptDiff, cudaDiff;  ///< how these texts differ from those of `parent`; empty if that isn't in the
                                          ///< report, `cudaDiff` also if either state is no kernel
  session::LoopNest nest;                 ///< the loop nest of the state
  std::shared_ptr<const session::StateModel> model;  ///< the cost model's result; never null; no time if no kernel

  /// Returns the throughput in TFLOP/s; nothing if there is no time, or if the number of FLOP can't be computed.
  std::optional<double> tflops() const;
};

/// A chapter of a lesson, with the states that it adds.
struct Chapter {
  std::string title, text;  ///< title, and Markdown of the lesson; both empty if the states belong to no chapter
  std::vector<int> steps;   ///< indices in Report::steps
};

/// A path of states, or all chapters of a lesson, with what is known of them.
struct Report {
  std::string title;     ///< title of the target, the opened function or document
  std::string headline;  ///< title of the lesson, or else of the target
  text::Language language = text::Language::kEnglish;
  std::vector<Step> steps;                     ///< in the order of chapters, and from the start on within each
  std::vector<Chapter> chapters;               ///< at least one; the only one has no title if the target is no lesson
  std::optional<document::VendorLine> vendor;  ///< time of the vendor's library; nothing: not known, or no such product
  /// The matrix product that the function computes, by element types, sizes and transposition (N or T) of both factors:
  /// "matmul float16 1024x1024x1024 NT float32"; empty: it computes none.
  std::string workload;
  bool compiled = false;  ///< whether a compiler was found, so that registers are known
  std::string date;       ///< day when the report was made, in UTC: "2026-11-22"

  /// Returns the state with the shortest time on the device that most of the times are from; null if no state has a
  /// time.
  const Step* fastest() const;
};

/// In place of the index of a state: all states of the lesson's chapters, branches included.
inline constexpr int kWholeLesson = -1;
/// Is called before each state is evaluated, with the number of states that are done and of all. Returns whether to go
/// on; if false, `collect` throws `Stopped`.
using Progress = std::function<bool(int done, int of)>;
/// The exception that `collect` throws when `Progress` returns false.
struct Stopped {};
/// Returns the report on the states of the path to `node`, which must be in the history, or on the whole lesson with
/// `kWholeLesson` (if the target is no lesson, on the path to its current state). Times are those that `bench` has
/// stored: nothing is measured. The model's predictions are for the device of `bench`, or else for the one that the
/// recorded times are of, or else for an H200. States are compiled if there is a compiler. Throws nothing but
/// `Stopped`.
Report collect(const document::Target& target, int node, document::Bench& bench, text::Language language,
               const Progress& progress = {});

/// Returns the report as one HTML file that needs neither network nor scripts.
std::string html(const Report& report);
/// Returns the report's table of states as CSV (RFC 4180, UTF-8) with a row of column names, a row for each state (step
/// line, times, ratios, resources, status, predictions; unknown fields are empty), and one for the vendor's library if
/// its time is known. Times are in µs.
std::string csv(const Report& report);
/// Returns a sweep over sizes as CSV (RFC 4180, UTF-8) with a row of column names, and for each size a row for each
/// state and one for the vendor's library if its time is known. Times are in µs. `history` has the states.
std::string csv(const tune::Sweep& sweep, const document::History& history);
/// Returns a chart of the measured times of states on a logarithmic scale, with a line for the vendor's library if its
/// time is known and comparable; a state without a time has an empty mark. Returns an SVG element for an HTML page, or
/// with `standalone` an SVG file.
std::string timeChart(const Report& report, bool standalone = false);
/// Returns a lesson's Markdown (paragraphs, **strong**, *emphasis*, `code`) as HTML.
std::string richText(const std::string& markdown);

/// Returns the kinds of exports: the texts and files of one state ("tvmscript", "python", "cuda", "ptx", …, as in
/// document::exportKinds), then "report" (HTML) and "csv".
const std::vector<std::string>& exportKinds();
/// Returns the content of each file of an export by the file's name, which is empty if there is only one. `kind` is one
/// of `exportKinds`. `node` is the state, and may be kWholeLesson only for "report" and "csv", which alone call
/// `progress`. `bench` compiles, and `environment` has the tensor intrinsics that the target was opened with; "report"
/// and "csv" don't use `environment`. Errors: those of lowering ("NotAKernel") and of compiling. Throws `Stopped` as
/// `collect` does.
Result<std::map<std::string, std::string>> exportState(const document::Target& target, int node,
                                                       const std::string& kind, document::Bench& bench,
                                                       const schedule::Environment& environment,
                                                       text::Language language, const Progress& progress = {});

}  // namespace loom::report
