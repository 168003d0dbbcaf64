#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "app/panels/performance/view/performance.h"
#include "core/document/bench.h"
#include "core/document/time_rows.h"

namespace loom::panels {

/// The page Steps of the panel Performance: the time or throughput of each state (the program after some steps; given
/// by its index in the history) as a plot over the steps and as a table, compared with the vendor's library. Every
/// figure says where it comes from. plot.cpp draws the plot.
class StepTimes {
 public:
  /// Draws the page; only its head and a sentence while no time is known.
  void draw(PanelContext& context);

 private:
  // Makes the rows anew if Session::opened or Session::revision has changed since the last frame.
  void follow(PanelContext& context);
  void followPredictions(const session::Session& session);
  // Returns whether no time is known, of any state or of the vendor's library.
  bool isEmpty() const { return listed_.empty() && vendor_ == 0; }
  void drawUnits(const window::Look& look);
  void drawHead(PanelContext& context);
  struct Plot;
  void drawPlot(PanelContext& context, float width, float height);
  void drawAxes(PanelContext& context, const Plot& plot) const;
  float vendorNameAt(const window::Look& look, const Plot& plot) const;
  // Draws the ceilings of arithmetic units and the vendor's library as level lines.
  void drawLevels(const window::Look& look, const Plot& plot) const;
  /// Returns the state near the mouse; −1: none.
  int drawStates(PanelContext& context, const Plot& plot) const;
  /// Returns points, in screen px, that a label shouldn't hide.
  std::vector<ImVec2> curveOf(PanelContext& context, const Plot& plot) const;
  void drawCurrent(PanelContext& context, const Plot& plot) const;
  void drawPreviewed(PanelContext& context, const Plot& plot) const;
  /// Returns the predicted time of the previewed step, µs; 0 if there is none.
  static double previewed(const session::Session& session);
  void drawPeakTip(const window::Look& look, const Plot& plot) const;
  std::string stateTip(const PanelContext& context, int node) const;
  void drawTable(PanelContext& context);
  /// Returns a time in µs as the page shows it: as throughput in TFLOP/s, or as µs, as the user has chosen.
  double shown(double microseconds) const { return throughput_ ? flops_ / microseconds * 1e-6 : microseconds; }
  /// Returns the row of times of a state; null if it has no time.
  const document::TimeRow* rowOf(int node) const;
  /// Returns the predicted time, µs, of a state that was not measured; 0 if there is none.
  double predictedOf(int node) const {
    return std::size_t(node) < predicted_.size() ? predicted_[std::size_t(node)] : 0;
  }
  /// Returns whether the kernel ran beyond its deadline, so that only a lower bound of its time is known; false for
  /// null.
  static bool isSlow(const document::KnownTime* timed);
  /// Draws the row of a state. `above` is the state of the row above; −1 for the first row.
  void drawTableRow(PanelContext& context, int node, int above);
  static constexpr int kColumns = 8, kFigures = 5;
  /// Returns the texts of the figures of a state, one per column; "–": not known.
  std::array<std::string, kFigures> figuresOf(const window::Look& look, int node) const;
  /// Returns lines for the tooltip of a row, each with a line break before it: how many times as fast the state is as
  /// the closest one before it that has a time, and as the end of the chapter that a lesson compares it with.
  std::string comparedTip(const window::Look& look, const session::Session& session,
                          const document::TimeRow& row) const;
  void chooseColumns(const window::Look& look, const session::Session& session, int columns, float room);
  void drawTableHead(int columns) const;
  std::string tableOrigin(const window::Look& look, const session::Session& session, int node) const;
  bool haveOneOrigin(const session::Session& session) const;
  float originWidth(const window::Look& look, const session::Session& session) const;

  bool throughput_ = true;                                   // whether throughput is shown; else time
  std::uint64_t opened_ = 0, revision_ = ~std::uint64_t{0};  // Session::opened and ::revision of `rows_`
  std::vector<document::TimeRow> rows_;                      // one per state with a time
  int best_ = -1;                  // index in the history of the fastest state; -1: none has a time
  std::vector<int> rowAt_;         // for each state: index of its row in rows_; -1: no time
  std::vector<double> predicted_;  // for each state: predicted time in µs if it wasn't measured; else 0
  // The states in the table, branch after branch: measured, stopped at the deadline, or predicted.
  std::vector<int> listed_;
  std::vector<bool> hidden_;  // for each state: whether the panel History hides it
  double vendor_ = 0;         // time of the vendor's library, µs; 0: not known, or not comparable with the states
  // Ceilings of arithmetic units; empty if the device isn't known, or the times are of another device.
  std::vector<session::Ceiling> peaks_;
  double flops_ = 0;                         // FLOP of the program; 0: not known, then only times are shown
  bool oneOrigin_ = true;                    // whether all times are from one machine and day, named in the head
  std::array<std::string, kColumns> names_;  // names of the table's columns
  std::array<float, kColumns> widths_ = {};  // their widths, px
  std::array<bool, kColumns> hasRoom_ = {};  // whether there is room for each column
  float stateWidth_ = 0;                     // width of the column of states, px
  std::size_t rowsSeen_ = 0;                 // number of rows when the table was last scrolled
  int scrolledTo_ = -1;                      // the state that the table was scrolled to
  int lastStep_ = 0;                         // the largest step number of the whole history
};

}  // namespace loom::panels
