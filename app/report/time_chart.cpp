#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/notation/time_text.h"
#include "app/report/report.h"
#include "app/report/svg.h"
#include "app/report/words.h"
#include "app/text/named.h"
#include "core/document/time_rows.h"

namespace loom::report {

namespace words = text::report;

namespace {

constexpr double kWidth = 880, kHeight = 300, kLeft = 64, kRight = 868, kTop = 14, kBottom = 262;

bool isLate(const Step& step) { return step.result && step.result->outcome.status == gpu::Outcome::Status::Deadline; }

// "10 µs", "1 ms": a power of ten has no decimals.
std::string decadeText(int decade) {
  static constexpr const char* kUnits[] = {"µs", "ms", "s"};
  const int unit = std::clamp(decade >= 0 ? decade / 3 : 0, 0, 2);
  return fmt::format("{} {}", std::pow(10, decade - 3 * unit), kUnits[unit]);
}

struct Scale {
  document::Decades decades;
  std::size_t count;
  double x(std::size_t index) const {
    return count < 2 ? (kLeft + kRight) / 2 : kLeft + 14 + double(index) / double(count - 1) * (kRight - kLeft - 28);
  }
  double y(double us) const {
    const double share = (std::log10(us) - decades.low) / (decades.high - decades.low);
    return kBottom - share * (kBottom - kTop);
  }
};

// Lines of the decades with their times, and the numbers of the steps.
void drawGrid(Svg& svg, const Report& report, const Scale& scale) {
  for (int d = scale.decades.low; d <= scale.decades.high; ++d) {
    const double y = scale.y(std::pow(10, d));
    svg.line(kLeft, y, kRight, y, "s-line");
    svg.text(kLeft - 8, y + 4, decadeText(d), {.colour = "f-txt3", .size = 11, .anchor = Svg::Anchor::kEnd});
  }
  const std::size_t every = std::max<std::size_t>(1, (scale.count + 24) / 25);
  double last = -100;
  for (const Chapter& chapter : report.chapters) {
    for (std::size_t i = 0; i < chapter.steps.size(); ++i) {
      const auto index = std::size_t(chapter.steps[i]);
      const double x = scale.x(index);
      if ((i != 0 && index % every != 0) || x - last < 18) continue;
      last = x;
      svg.text(x, kBottom + 16, std::to_string(report.steps[index].number),
               {.colour = "f-txt3", .size = 11, .anchor = Svg::Anchor::kMiddle});
    }
    if (!chapter.steps.empty() && chapter.steps.front() > 0) {
      const double x =
          (scale.x(std::size_t(chapter.steps.front())) + scale.x(std::size_t(chapter.steps.front()) - 1)) / 2;
      svg.line(x, kTop, x, kBottom, "s-line", 1, "2 4");
    }
  }
  svg.text((kLeft + kRight) / 2, kBottom + 32, words::kChartAxis.in(report.language),
           {.colour = "f-txt2", .size = 11, .anchor = Svg::Anchor::kMiddle});
}

}  // namespace

std::string timeChart(const Report& report, bool standalone) {
  Svg svg;
  std::vector<double> times;
  for (const Step& step : report.steps) {
    if (step.microseconds) times.push_back(*step.microseconds);
  }
  // Another device's line says nothing of the states.
  const bool beside =
      std::any_of(report.steps.begin(), report.steps.end(), [](const Step& s) { return s.vendorShare; });
  const auto said = [&](const std::string& name, const std::string& what) {
    return fmt::format(fmt::runtime(text::kNamed.in(report.language)), name, what);
  };
  const double vendor = report.vendor && (beside || times.empty()) ? report.vendor->outcome.timing.median : 0;
  if (vendor > 0) times.push_back(vendor);
  const Scale scale{document::decadesAround(times), report.steps.size()};
  drawGrid(svg, report, scale);
  if (vendor > 0) {
    const double y = scale.y(vendor);
    svg.line(kLeft, y, kRight, y, "s-txt2", 1.5, "6 4");
    svg.text(kLeft + 6, y - 6, said("cuBLASLt " + report.vendor->outcome.version, notation::timeText(vendor)),
             {.colour = "f-txt2", .size = 11});
  }
  // A line leads to each timed state from the closest timed one before it on its own way: branches part.
  std::map<int, std::size_t> stepOf;
  for (std::size_t i = 0; i < report.steps.size(); ++i) stepOf[report.steps[i].node] = i;
  for (std::size_t i = 0; i < report.steps.size(); ++i) {
    const Step& step = report.steps[i];
    if (!step.microseconds) continue;
    for (auto before = stepOf.find(step.parent); before != stepOf.end();
         before = stepOf.find(report.steps[before->second].parent)) {
      const Step& from = report.steps[before->second];
      if (!from.microseconds) continue;
      svg.line(scale.x(before->second), scale.y(*from.microseconds), scale.x(i), scale.y(*step.microseconds), "s-txt3",
               1.5);
      break;
    }
  }
  const Step* fastest = report.fastest();
  for (std::size_t i = 0; i < report.steps.size(); ++i) {
    const Step& step = report.steps[i];
    const std::string line = step.source.empty() ? words::kStart.in(report.language) : step.source;
    const std::string name = fmt::format("{}  {}", step.number, line);
    if (step.microseconds) {
      svg.circle(scale.x(i), scale.y(*step.microseconds), &step == fastest ? 4.5 : 3, "f-txt",
                 said(name, notation::timeText(*step.microseconds)),
                 fmt::format(" data-step=\"{}\" data-us=\"{}\"", step.number, *step.microseconds));
    } else {
      const std::string why = isLate(step)   ? words::kTooLong.in(report.language)
                              : step.problem ? step.problem->message.english()
                                             : words::kNotMeasured.in(report.language);
      svg.circle(scale.x(i), isLate(step) ? kTop : kBottom, 3, "none s-txt3", said(name, why));
    }
  }
  if (fastest != nullptr) {
    const auto at = std::size_t(fastest - report.steps.data());
    const double x = scale.x(at);
    svg.text(x, scale.y(*fastest->microseconds) - 10, notation::timeText(*fastest->microseconds),
             {.colour = "f-txt",
              .size = 12,
              .strong = true,
              .anchor = x > kRight - 40 ? Svg::Anchor::kEnd : Svg::Anchor::kMiddle});
  }
  return svg.finish(kWidth, kHeight, words::kChart.in(report.language), standalone);
}

}  // namespace loom::report
