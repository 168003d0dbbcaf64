#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/panels/compare/view/figures.h"
#include "app/panels/panel.h"

namespace loom::panels {

/// Throughput over arithmetic intensity: the device's ceilings, and each measured state as a point.
class Roofline {
 public:
  void draw(PanelContext& context);

 private:
  struct Point {
    int node = 0;
    double tflops = 0;
    bool predicted = false;  // of the chosen device: what was measured is another's
    // By link; 0 where they aren't known. Of the machine code, and as written.
    std::array<model::Number, session::kTraffics> bytes, written;
  };
  struct Plot;

  void follow(PanelContext& context);
  void findAxes(const session::Session& session);
  /// Whose bytes: the program's or the machine code's. Ends before `edge`, else it begins a line.
  void drawCounting(const PanelContext& context, float edge);
  bool showsCompiled() const;
  const model::Number& bytesOf(const Point& point, int traffic) const;
  void drawCeilings(PanelContext& context, const Plot& plot);
  void drawPoints(PanelContext& context, const Plot& plot, bool hovered, bool clicked);
  void drawFigures(const PanelContext& context) const;
  void drawOthers(PanelContext& context, const Plot& plot);
  std::string nearestRoof(const PanelContext& context) const;
  std::string pointTip(PanelContext& context, const Point& point) const;
  /// Faster than the chosen link allows for the bytes that are counted.
  bool isAbove(const Point& point) const;
  double intensity(const Point& point, int traffic) const;
  /// TFLOP/s of the program of a preview, as the model sees it; 0: there is none.
  double predicted(PanelContext& context) const;
  /// Where the axis of TFLOP/s begins, log10.
  double lowest(PanelContext& context) const;

  session::Traffic traffic_ = session::Traffic::kL2;
  bool compiled_ = true;    // what ran is what a time is of
  bool codeComes_ = false;  // there is machine code to be had
  std::uint64_t opened_ = 0, revision_ = ~std::uint64_t{0};
  std::vector<Point> points_;
  std::vector<session::Ceiling> ceilings_;
  std::string device_;
  Message problem_;
  std::string others_;  // device of the times where that isn't the chosen one; else empty
  double flops_ = 0;
  double vendor_ = 0;                                   // TFLOP/s
  double lowX_ = 0, highX_ = 1, lowY_ = 0, highY_ = 1;  // log10
};

}  // namespace loom::panels
