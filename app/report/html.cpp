#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/notation/quantity_text.h"
#include "app/notation/time_text.h"
#include "app/panels/memory/view/memory.h"
#include "app/panels/performance/view/performance.h"
#include "app/panels/performance/words.h"
#include "app/report/memory_picture.h"
#include "app/report/nest_picture.h"
#include "app/report/report.h"
#include "app/report/svg.h"
#include "app/report/words.h"
#include "app/text/messages.h"

namespace loom::report {

namespace words = text::report;

namespace {

// Wraps in the reader's theme; on paper always light. Nothing is fetched: fonts are named, not loaded.
constexpr const char* kStyle = R"(*{box-sizing:border-box}
body{margin:0;font-variant-ligatures:no-contextual;background:var(--bg1);color:var(--txt);font:15px/1.5 Inter,"Noto Sans","Noto Sans CJK SC","WenQuanYi Micro Hei",system-ui,sans-serif}
main{max-width:960px;margin:0 auto;padding:32px 40px 64px}
h1{font-size:26px;line-height:1.25;margin:0 0 4px}h2{font-size:20px;margin:40px 0 8px;padding-top:12px;border-top:1px solid var(--line)}
h3{font-size:15px;margin:20px 0 6px}p{margin:8px 0;max-width:74ch}
.kind,.faint{color:var(--txt3)}.second{color:var(--txt2)}a{color:inherit}
code,pre,.code{font-family:"JetBrains Mono","DejaVu Sans Mono",ui-monospace,monospace;font-size:12.5px}
p code{background:var(--bg2);padding:1px 4px;border-radius:3px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:16px 0}dt{color:var(--txt3)}dd{margin:0}
.big{font-size:20px;font-weight:600}
ol.chapters{columns:2;padding-left:24px;margin:8px 0}
svg{display:block;max-width:100%;height:auto;margin:8px 0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:12.5px}
th{font-weight:400;color:var(--txt3);text-align:right;padding:4px 8px;border-bottom:1px solid var(--line);white-space:nowrap}
td{padding:3px 8px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--bg3);font-variant-numeric:tabular-nums}
th.line,td.line{text-align:left}td.line{max-width:340px;overflow:hidden;text-overflow:ellipsis}
tr.chapter td{text-align:left;color:var(--txt2);font-weight:600;padding-top:10px}tr.best td{font-weight:600}
tr.vendor td{border-top:1px solid var(--txt3)}
details{border:1px solid var(--line);border-radius:3px;margin:4px 0}details details{margin:8px 0;background:var(--bg1)}
summary{cursor:pointer;padding:5px 10px;display:flex;gap:12px;align-items:baseline;background:var(--bg2)}
summary .number{color:var(--txt3);min-width:2em;text-align:right}summary .code{flex:1;overflow-wrap:anywhere}
summary .time{white-space:nowrap;font-variant-numeric:tabular-nums}
.inside{padding:6px 12px}
pre{margin:0;padding:8px 0;overflow-x:auto;line-height:1.45;tab-size:2}
pre span{display:block;padding:0 10px 0 7px;border-left:3px solid transparent;min-height:1.45em}
pre .a,pre .c{border-left-color:var(--changed);background:color-mix(in srgb,var(--changed) 12%,transparent)}
.warn{color:var(--warning)}
footer{margin-top:48px;color:var(--txt3);font-size:13px}
@media print{body{font-size:10.5pt}main{max-width:none;padding:0}h2{break-after:avoid}svg,tr,dl{break-inside:avoid}
.scroll{overflow:visible}table{font-size:8pt}td.line{max-width:220px}pre{white-space:pre-wrap}@page{margin:16mm}}
)";

class Page {
 public:
  explicit Page(const Report& report) : r_(report) {}
  std::string make();

 private:
  std::string say(const text::Text& words) const { return words.in(r_.language); }
  template <typename... Args>
  std::string say(const text::Text& words, const Args&... args) const {
    return fmt::format(fmt::runtime(words.in(r_.language)), args...);
  }
  void raw(const std::string& html) { out_ += html; }
  void put(const std::string& text) { out_ += escaped(text); }
  // <tag attributes>text</tag>, the text escaped.
  void element(const char* tag, const std::string& attributes, const std::string& text) {
    out_ += fmt::format("<{}{}{}>{}</{}>\n", tag, attributes.empty() ? "" : " ", attributes, escaped(text), tag);
  }
  void head();
  void facts();
  void facts(const Step& step);
  void table();
  void row(const Step& step);
  void chapter(std::size_t index);
  void step(const Step& step);
  void code(const char* title, const std::vector<std::string>& lines, const script::LineDiff& diff);
  std::string timeOf(const Step& step) const;
  std::string titleOf(const Step& step) const { return step.source.empty() ? say(words::kStart) : step.source; }
  std::vector<std::string> origins() const;

  const Report& r_;
  std::string out_;
};

std::string Page::timeOf(const Step& step) const {
  if (step.microseconds) return notation::timeText(*step.microseconds);
  if (step.problem) return say(words::kNoKernel);
  if (!step.result) return say(words::kNotMeasured);
  using Status = gpu::Outcome::Status;
  const Status status = step.result->outcome.status;
  return say(status == Status::Deadline   ? words::kTooLong
             : status == Status::Measured ? words::kNotMeasured
                                          : words::kFailed);
}

// Where the times come from, each source once.
std::vector<std::string> Page::origins() const {
  std::vector<std::string> lines;
  for (const Step& step : r_.steps) {
    if (!step.microseconds) continue;
    const auto& phrase = step.result->origin == gpu::ResultOrigin::Recorded ? words::kRecordedOn : words::kMeasuredHere;
    std::string line = say(phrase, step.device, step.result->key.driver, step.result->key.compiler, step.result->date);
    if (!step.result->key.method.empty()) line += "; " + say(words::kMethod, step.result->key.method);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

void Page::head() {
  raw(fmt::format("<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n",
                  text::codeOf(r_.language)));
  raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n");
  element("title", "", r_.headline + " · Tileloom");
  raw("<style>\n" + paletteStyle(false) + kStyle + "</style>\n</head>\n<body>\n<main>\n<header>\n");
  element("div", "class=\"kind\"", say(words::kReport));
  element("h1", "", r_.headline);
  raw("</header>\n");
}

void Page::facts() {
  raw("<dl>\n");
  auto fact = [&](const text::Text& name, const std::string& value, const char* attributes = "") {
    element("dt", "", say(name));
    element("dd", attributes, value);
  };
  if (const Step* best = r_.fastest()) {
    std::string line = notation::timeText(*best->microseconds);
    if (best->overFirst) line += " · " + say(words::kOverFirst, notation::ratioText(*best->overFirst));
    if (best->vendorShare) {
      line += " · " + say(words::kOfVendor, notation::shareText(*best->vendorShare), r_.vendor->outcome.version,
                          notation::timeText(r_.vendor->outcome.timing.median));
    }
    fact(words::kFastest, line, "class=\"big\"");
    element("dt", "", "");
    element("dd", "class=\"second code\"", say(words::kFastestIs, best->number, titleOf(*best)));
  }
  fact(words::kTarget, r_.title);
  if (!r_.workload.empty()) fact(words::kWorkload, r_.workload);
  const std::vector<std::string> lines = origins();
  if (lines.empty()) fact(words::kTimesFrom, say(words::kNoTimes));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    element("dt", "", i == 0 ? say(words::kTimesFrom) : "");
    element("dd", "", lines[i]);
  }
  raw("</dl>\n");
  if (!r_.compiled) element("p", "class=\"faint\"", say(words::kNoCompiler));
}

void Page::row(const Step& s) {
  raw(&s == r_.fastest() ? "<tr class=\"best\">" : "<tr>");
  raw(fmt::format("<td><a href=\"#s{}\">{}</a></td>", s.node, s.number));
  std::string hover;
  if (s.microseconds) {
    const gpu::Timing& t = s.result->outcome.timing;
    hover = fmt::format(" title=\"{}\"",
                        escaped(say(text::counted(t.samples, words::kQuartile, words::kQuartiles),
                                    fmt::format("{:.2f}", t.low), fmt::format("{:.2f}", t.high), t.samples)));
  }
  raw(fmt::format("<td{}{}>{}</td>", s.microseconds ? "" : " class=\"faint\"", hover, escaped(timeOf(s))));
  auto cell = [&](const std::string& text) { raw("<td>" + escaped(text) + "</td>"); };
  cell(s.overPrevious ? notation::ratioText(*s.overPrevious) : "");
  cell(s.overFirst ? notation::ratioText(*s.overFirst) : "");
  cell(s.vendorShare ? notation::shareText(*s.vendorShare) : "");
  cell(s.registers >= 0 ? std::to_string(s.registers) : "");
  cell(s.sharedBytes >= 0 ? notation::bytesText(double(s.sharedBytes)) : "");
  const std::string line = titleOf(s);
  raw(fmt::format("<td class=\"line code\" title=\"{0}\">{0}</td></tr>\n", escaped(line)));
}

void Page::table() {
  element("h2", "", say(words::kTable));
  raw("<div class=\"scroll\"><table>\n<thead><tr>");
  for (const text::Text* name : {&words::kStep, &words::kTime, &words::kPrevious, &words::kFirst, &words::kVendorShare,
                                 &words::kRegisters, &words::kShared}) {
    raw("<th>" + escaped(say(*name)) + "</th>");
  }
  raw("<th class=\"line\">" + escaped(say(words::kLine)) + "</th></tr></thead>\n<tbody>\n");
  for (const Chapter& chapter : r_.chapters) {
    if (!chapter.title.empty())
      raw("<tr class=\"chapter\"><td colspan=\"8\">" + escaped(chapter.title) + "</td></tr>\n");
    for (int index : chapter.steps) row(r_.steps[std::size_t(index)]);
  }
  if (r_.vendor) {
    const gpu::VendorOutcome& v = r_.vendor->outcome;
    raw(
        fmt::format("<tr class=\"vendor\"><td></td><td>{}</td><td></td><td></td><td>100 %</td><td></td><td></td>"
                    "<td class=\"line\">cuBLASLt {}</td></tr>\n",
                    escaped(notation::timeText(v.timing.median)), escaped(v.version)));
  }
  raw("</tbody></table></div>\n");
}

void Page::code(const char* title, const std::vector<std::string>& lines, const script::LineDiff& diff) {
  raw("<details><summary><span class=\"code\">" + escaped(title) + "</span><span class=\"faint\">");
  if (!diff.marks.empty()) {
    put(diff.same()
            ? say(words::kNoChange)
            : say(text::counted(diff.added, words::kChange, words::kChanges), diff.added, diff.changed, diff.removed));
  }
  raw("</span></summary><pre>");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const script::Mark mark = i < diff.marks.size() ? diff.marks[i] : script::Mark::kSame;
    raw(mark == script::Mark::kAdded     ? "<span class=\"a\">"
        : mark == script::Mark::kChanged ? "<span class=\"c\">"
                                         : "<span>");
    raw(escaped(lines[i]) + "</span>");
  }
  raw("</pre></details>\n");
}

// What the model says, in a line.
void Page::facts(const Step& s) {
  if (!s.model) return;
  const session::PerformanceView& p = session::performanceOf(*s.model);
  std::vector<std::string> parts;
  if (const auto rate = s.tflops()) parts.push_back(say(words::kTflops, fmt::format("{:.3g}", *rate)));
  if (p.estimate) {
    parts.push_back(say(words::kPredicted, p.device, notation::timeText(p.estimate->microseconds)));
    std::string busiest = p.estimate->pipes[std::size_t(p.estimate->busiest)].pipe;
    for (const text::performance::FigureLabel& label : text::performance::kFigureLabels)
      if (busiest == label.label) {
        busiest = say(label.words);
        break;
      }
    parts.push_back(say(words::kBusiest, busiest));
  }
  if (p.occupancy && p.registersKnown)
    parts.push_back(say(words::kOccupancy, p.occupancy->warps, p.occupancy->maxWarps));
  std::string line;
  for (const std::string& part : parts) line += (line.empty() ? "" : " · ") + part;
  if (!line.empty()) element("p", "class=\"second\"", line);
}

void Page::step(const Step& s) {
  raw(fmt::format("<details id=\"s{}\"><summary><span class=\"number\">{}</span>", s.node, s.number));
  raw(fmt::format("<span class=\"code\">{}</span><span class=\"time\">{}</span></summary>\n<div class=\"inside\">\n",
                  escaped(titleOf(s)), escaped(timeOf(s))));
  if (!s.name.empty()) element("p", "", s.name);
  if (!s.note.empty()) element("p", "class=\"second\"", s.note);
  if (!s.accessors.empty()) {
    raw("<pre class=\"faint\">");
    for (const std::string& line : s.accessors) raw("<span>" + escaped(line) + "</span>");
    raw("</pre>\n");
  }
  if (s.problem) {
    std::string why = text::wordsOf(r_.language, s.problem->message);
    if (!s.problem->remedy.empty()) why += " (" + say(words::kFirstRemedy, s.problem->remedy) + ")";
    element("p", "class=\"warn\"", say(words::kWhyNoKernel, why));
  }
  if (s.singleThread) element("p", "class=\"warn\"", say(words::kOneThread));
  if (s.spillBytes > 0) element("p", "class=\"warn\"", say(words::kSpills, s.spillBytes));
  facts(s);
  raw(nestPicture(s.nest, r_.language, say(words::kNest)));
  if (s.model && !session::memoryOf(*s.model).buffers.empty()) {
    element("p", "class=\"faint\"", say(words::kMemory));
    raw(memoryPicture(session::memoryOf(*s.model), r_.language, say(words::kMemory)));
  }
  code("TVMScript", s.script, s.scriptDiff);
  if (!s.cuda.empty()) code("CUDA", s.cuda, s.cudaDiff);
  raw("</div></details>\n");
}

void Page::chapter(std::size_t index) {
  const Chapter& c = r_.chapters[index];
  element("h2", fmt::format("id=\"c{}\"", index + 1), c.title.empty() ? say(words::kSteps) : c.title);
  raw(richText(c.text));
  if (c.steps.empty()) return;
  const Step& last = r_.steps[std::size_t(c.steps.back())];
  element("h3", "", say(words::kAfter));
  raw(nestPicture(last.nest, r_.language, say(words::kNest)));
  element("h3", "", say(words::kSteps));
  for (int at : c.steps) step(r_.steps[std::size_t(at)]);
}

std::string Page::make() {
  head();
  facts();
  element("h2", "", say(words::kChart));
  raw(timeChart(r_));
  table();
  if (r_.chapters.size() > 1) {
    element("h2", "", say(words::kContents));
    raw("<ol class=\"chapters\">\n");
    for (std::size_t i = 0; i < r_.chapters.size(); ++i) {
      const std::string title = r_.chapters[i].title.empty() ? say(words::kSteps) : r_.chapters[i].title;
      raw(fmt::format("<li><a href=\"#c{}\">{}</a></li>\n", i + 1, escaped(title)));
    }
    raw("</ol>\n");
  }
  for (std::size_t i = 0; i < r_.chapters.size(); ++i) chapter(i);
  element("footer", "", say(words::kMadeBy, TILELOOM_VERSION, r_.date));
  raw("</main>\n</body>\n</html>\n");
  return std::move(out_);
}

}  // namespace

std::string html(const Report& report) { return Page(report).make(); }

}  // namespace loom::report
