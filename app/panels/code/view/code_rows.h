#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/script/line_diff.h"

namespace loom::session {

/// A row of code as drawn: bytes [from, to) of a line, which begin in column `column`.
struct CodeRow {
  int line = 0;
  int from = 0, to = 0;
  int column = 0;
  int gone =
      -1;  ///< of script::LineDiff::gone: a row of a line that another state has, above `line`'s own rows; −1: its own
};

/// Lines laid out in a width: long ones go on in further rows, deeper by four columns; what is folded has none.
class CodeRows {
 public:
  struct Form {
    bool halved = false;   ///< a level of indentation takes half its columns
    int columns = 0;       ///< that a row may have; 0: as many as it needs
    std::set<int> folded;  ///< lines of which only the first row of text stays, without what is nested in them
    friend bool operator==(const Form&, const Form&) = default;
  };

  CodeRows() = default;
  /// `foldEnds` says for each line where what is nested in it ends; empty: nothing is. Lines that are `gone` stand
  /// where they were, but for those in what is folded; after the last line's rows where they were at the end. May be
  /// null.
  CodeRows(const std::vector<std::string>& lines, const std::vector<int>& foldEnds, Form form,
           const std::vector<script::LineDiff::Gone>* gone = nullptr);

  const std::vector<CodeRow>& rows() const { return rows_; }
  /// The line's first own row; of a line that is folded away, the row of the fold.
  int rowOf(int line) const { return first_[std::size_t(line)]; }
  /// How many own rows a line has; 0: it is folded away.
  int countOf(int line) const { return count_[std::size_t(line)]; }
  /// How many lines that are gone were laid out with them; 0 where none were to be shown.
  std::size_t gone() const { return gone_; }
  int lines() const { return int(first_.size()); }
  int widest() const { return widest_; }  ///< columns
  const Form& form() const { return form_; }
  /// The folded line that hides `line`; −1: it is there.
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
