#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/script/line_diff.h"

namespace loom::session {

/// One row of a view of code on the screen, which shows a line or a part of a wrapped line.
struct CodeRow {
  int line = 0;          ///< index of the line
  int from = 0, to = 0;  ///< the row shows the bytes [from, to) of the line
  int column = 0;        ///< the column of the row, from 0, at which the text begins
  int width = 0;         ///< the columns that the text takes
  /// Index into script::LineDiff::gone if the row shows a line that only the text compared with has; the row stands
  /// above the rows of `line`, or, at the end of the text, below those of `line`, the last line. −1 if the row shows
  /// `line` itself.
  int gone = -1;
};

/// The layout of lines of code into rows of a given width. A long line continues in further rows, indented by at most
/// four more columns; a line that is nested in a folded line has no row. Lines are counted from 0, and a `line` that is
/// given must be one of them. Columns are those of notation::columnsOf.
class CodeRows {
 public:
  /// How the lines are laid out.
  struct Form {
    bool halved = false;   ///< whether indentation takes half its columns
    int columns = 0;       ///< the most columns of a row; 0: lines are not wrapped
    std::set<int> folded;  ///< lines that keep their rows while the lines nested in them have none
    friend bool operator==(const Form&, const Form&) = default;
  };

  CodeRows() = default;
  /// Lays out `lines`. `foldEnds` has for each line the last line nested in it, or the line itself (the function
  /// `foldEnds` of view/names.h); if it is empty, nothing can be folded. `gone`, if not null, has lines that only the
  /// text compared with has; they get rows where they used to stand, unless that is folded or there are no lines.
  CodeRows(const std::vector<std::string>& lines, const std::vector<int>& foldEnds, Form form,
           const std::vector<script::LineDiff::Gone>* gone = nullptr);

  /// Returns the rows from top to bottom.
  const std::vector<CodeRow>& rows() const { return rows_; }
  /// Returns the index of the first row that shows the line itself; for a line that is folded away, the index of the
  /// row of the folded line that hides it.
  int rowOf(int line) const { return first_[std::size_t(line)]; }
  /// Returns how many rows show the line itself; 0 if it is folded away.
  int countOf(int line) const { return count_[std::size_t(line)]; }
  /// Returns how many lines `gone` had, whether they got rows or are folded away.
  std::size_t gone() const { return gone_; }
  int lines() const { return int(first_.size()); }
  /// Returns the width of the widest row, in columns.
  int widest() const { return widest_; }
  const Form& form() const { return form_; }
  /// Returns the folded line that hides `line`, itself not hidden; −1 if `line` is not hidden.
  int hiderOf(int line) const { return hider_[std::size_t(line)]; }

 private:
  void add(const std::string& text, int line, int gone = -1);

  Form form_;
  std::vector<CodeRow> rows_;
  std::vector<int> first_, count_, hider_;
  int widest_ = 0;
  std::size_t gone_ = 0;
};

}  // namespace loom::session
