// Builds the text of a TVMScript program: its lines, and the scopes in which names are defined. Internal to
// core/script.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/script/printer.h"

namespace loom::script {

// A piece of a line with the spans in it, the ranges of the text that show a loop, block, buffer and so on. Columns
// count from the start of the piece, in bytes.
struct Text {
  std::string text;
  std::vector<Span> spans;

  Text() = default;
  Text(std::string s) : text(std::move(s)) {}
  Text(const char* s) : text(s) {}
  Text& operator<<(std::string_view s) {
    text += s;
    return *this;
  }
  Text& operator<<(const char* s) { return *this << std::string_view(s); }
  Text& operator<<(const std::string& s) { return *this << std::string_view(s); }
  Text& operator<<(const Text& other);
  // Adds a span of the text from byte `start` to the end of the piece.
  void mark(std::size_t start, Span::What what, ir::Id id);
};

// A stack of scopes as in TVM, one for each function, loop, block, branch and so on. For each, the calls are `open`,
// then `header`, then those that print its body, then `close`. A name is free again when its scope is closed. A line
// may be added to an outer scope while an inner statement is being printed; it then stands before that statement.
// Scopes are numbered from 0, the outermost, which is there from the beginning, has no header and is never closed.
class ScriptWriter {
 public:
  ScriptWriter();

  // Opens the scope of a statement whose header is yet to be printed. Its lines stand `deeper` levels inside the
  // current scope (0 for a statement that prints no level of its own). `bodies` are recorded as spans from the header
  // to the end.
  void open(const void* node, int deeper, std::vector<std::pair<Span::What, ir::Id>> bodies = {});
  // Prints a header line of the innermost scope. A function has several: all but its last one have `last` false. Lines
  // that were printed in the scope before its last header line follow it, as the first ones of the body.
  void header(Text line, bool last = true);
  // Ends the innermost scope: records its spans and frees its names.
  void close();
  // Print a line in the innermost scope, or in scope number `scope`.
  void emit(Text line) { emitIn(scopes_.size() - 1, std::move(line)); }
  void emitIn(std::size_t scope, Text line);
  void blankLine() { lines_.push_back({}); }

  // Returns the number of the outermost scope that was opened for a node and isn't closed; npos if there is none.
  std::size_t scopeOf(const void* node) const;
  std::size_t innermost() const { return scopes_.size() - 1; }
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  // Return and set whether the innermost scope's current statement is the last one of its body, where `with T.attr(…):`
  // is printed as a plain line.
  bool concise() const { return scopes_.back().concise; }
  void setConcise(bool on) { scopes_.back().concise = on; }

  // Returns the name, or the expression, by which a variable or buffer is written; null if it isn't defined. This
  // pointer, and the reference that `define` returns, are valid until the scope of the definition is closed.
  const std::string* find(const void* object) const;
  // Defines a variable or buffer in a scope and returns its name: `hint`, changed so that it is unique among the names
  // in use. One that is defined already keeps its name.
  const std::string& define(const void* object, std::string_view hint, std::size_t scope);
  // Defines a variable to be written as an expression, such as A.strides[0], which takes no name.
  void defineAs(const void* object, std::string text, std::size_t scope);
  // Makes a name unavailable to `define`.
  void reserve(std::string name) { names_.insert(std::move(name)); }

  // Returns the finished text with its spans, to be called once, with all scopes but the outermost closed.
  Script finish();

 private:
  struct Line {
    int indent = 0;
    std::string text;
  };
  struct Defined {
    const void* object;
    bool named;
  };
  struct Scope {
    const void* node = nullptr;
    int indent = 0;
    std::size_t start = 0;  // the line of its header
    bool open = false;      // whether the header is printed
    bool concise = false;
    std::vector<Text> pending;  // lines waiting for the header
    std::vector<Defined> defined;
    std::vector<std::pair<Span::What, ir::Id>> bodies;
    int headerIndent = 0;
  };
  void place(std::size_t at, int indent, Text line);

  std::vector<Line> lines_;
  std::vector<Span> spans_;
  std::vector<Scope> scopes_;
  std::unordered_map<const void*, std::string> written_;
  std::unordered_set<std::string> names_;
};

}  // namespace loom::script
