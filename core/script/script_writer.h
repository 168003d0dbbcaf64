// The text under construction: lines, the scopes that names live in, and where a definition may still be put. Private
// to the room.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/script/printer.h"

namespace loom::script {

// A piece of one line, with the spans in it; their columns count from its start.
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
  // Marks what was appended since `start`.
  void mark(std::size_t start, Span::What what, ir::Id id);
};

// TVM keeps a stack of frames, one per function, loop, block, branch…; a name is free again when its frame ends, and a
// line can be added to an outer frame while an inner statement is being printed: it then stands before that statement.
class ScriptWriter {
 public:
  ScriptWriter();

  // Opens the scope of a statement whose header is yet to be printed. Its lines stand `deeper` levels inside the
  // current scope (0 for a statement that prints no level of its own). `bodies` are recorded as spans from the header
  // to the end.
  void open(const void* node, int deeper, std::vector<std::pair<Span::What, ir::Id>> bodies = {});
  // Prints the header line of the innermost scope (more than one for functions); opens its body with emitted = true.
  void header(Text line, bool last = true);
  void close();
  // Prints a line in the innermost scope, or in another one.
  void emit(Text line) { emitIn(scopes_.size() - 1, std::move(line)); }
  void emitIn(std::size_t scope, Text line);
  void blankLine() { lines_.push_back({}); }

  // Returns the outermost scope opened for the node, or npos.
  std::size_t scopeOf(const void* node) const;
  std::size_t innermost() const { return scopes_.size() - 1; }
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  // Returns whether this is the last statement of a body, where `with T.attr(…):` shrinks to a plain line.
  bool concise() const { return scopes_.back().concise; }
  void setConcise(bool on) { scopes_.back().concise = on; }

  // Returns how a variable or buffer is written; null if it is not defined.
  const std::string* find(const void* object) const;
  // Defines it under a name that is unique among those in force; a defined one keeps its name.
  const std::string& define(const void* object, std::string_view hint, std::size_t scope);
  // Defines it as an expression, such as A.strides[0]; no name is taken.
  void defineAs(const void* object, std::string text, std::size_t scope);
  void reserve(std::string name) { names_.insert(std::move(name)); }

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
    bool open = false;      // the header is there
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
