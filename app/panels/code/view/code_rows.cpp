#include "app/panels/code/view/code_rows.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/notation/columns.h"

namespace loom::session {
namespace {

constexpr int kHanging = 4;     // columns that a row which goes on is deeper
constexpr int kFewColumns = 8;  // that a row keeps however deep it begins

}  // namespace

CodeRows::CodeRows(const std::vector<std::string>& lines, const std::vector<int>& foldEnds, Form form,
                   const std::vector<script::LineDiff::Gone>* gone)
    : form_(std::move(form)), gone_(gone ? gone->size() : 0) {
  int hidden = -1, hider = -1;
  std::size_t next = 0;
  auto addGone = [&](int at, int line, bool shown) {
    for (; next < gone_ && (*gone)[next].at <= at; ++next)
      if (shown) add((*gone)[next].text, line, int(next));
  };
  for (int i = 0; i < int(lines.size()); ++i) {
    addGone(i, i, i > hidden);
    if (i <= hidden) {
      first_.push_back(first_[std::size_t(hider)]);
      count_.push_back(0);
      hider_.push_back(hider);
      continue;
    }
    first_.push_back(int(rows_.size()));
    add(lines[std::size_t(i)], i);
    count_.push_back(int(rows_.size()) - first_.back());
    hider_.push_back(-1);
    if (form_.folded.count(i) != 0 && i < int(foldEnds.size()) && foldEnds[std::size_t(i)] > i) {
      hidden = foldEnds[std::size_t(i)];
      hider = i;
    }
  }
  if (!lines.empty()) addGone(int(lines.size()), int(lines.size()) - 1, true);
  for (const CodeRow& row : rows_) widest_ = std::max(widest_, row.column + row.width);
}

// A row ends behind a comma of its second half, else behind a blank or an opening bracket, else where
// there is no more room.
void CodeRows::add(const std::string& text, int line, int gone) {
  const std::string_view all = text;
  const int size = int(text.size());
  const int begin = int(std::min(text.find_first_not_of(' '), text.size()));
  CodeRow row{line, begin, size, form_.halved ? begin - begin / 2 : begin, 0, gone};
  const int indent = row.column;
  if (form_.columns > 0) row.column = std::min(row.column, std::max(0, form_.columns - kFewColumns));
  const int further = std::min(indent + kHanging, std::max(0, form_.columns / 2));
  const auto columnsOf = [&](int from, int to) {
    return notation::columnsOf(all.substr(std::size_t(from), std::size_t(to - from)));
  };
  for (int left = columnsOf(begin, size); form_.columns > 0 && row.column + left > form_.columns;) {
    const int room = std::max(1, form_.columns - row.column);
    const std::string_view rest = all.substr(std::size_t(row.from));
    const int half = row.from + int(notation::bytesWithin(rest, room / 2));
    // At least one character, however wide.
    int end = row.from + int(std::max(notation::bytesWithin(rest, room), notation::characterFrom(rest, 1)));
    const std::size_t blank = text.rfind(' ', std::size_t(end));
    const std::size_t comma = text.rfind(", ", std::size_t(end - 1));
    if (comma != std::string::npos && int(comma) + 2 <= end && int(comma) > half) {
      end = int(comma) + 2;
    } else if (blank != std::string::npos && int(blank) > row.from) {
      end = int(blank) + 1;
    } else if (const std::size_t bracket = text.find_last_of("([", std::size_t(end - 1));
               bracket != std::string::npos && int(bracket) > row.from) {
      end = int(bracket) + 1;
    }
    row.to = std::min(end, size);
    row.width = columnsOf(row.from, row.to);
    rows_.push_back(row);
    left -= row.width;
    row.from = row.to;
    row.column = further;
    if (row.from >= size) return;
  }
  row.to = size;
  row.width = columnsOf(row.from, size);
  rows_.push_back(row);
}

}  // namespace loom::session
