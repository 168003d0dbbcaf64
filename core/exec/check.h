// Is a scheduled function still the function it was made from? Both are executed, and their results compared.
#pragma once
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/exec/findings.h"
#include "core/exec/reference.h"
#include "core/ir/result.h"
#include "core/ir/symbols.h"

namespace loom::exec {

struct Options {
  double budget = 2;               // seconds that one state may take, on one core
  std::uint64_t seed = 1;          // of the inputs and of what is sampled
  bool sample = true;              // false: run everything, whatever it takes
  std::int64_t compareAtMost = 0;  // elements of each output; 0: as many as the budget allows
  std::stop_token stop;
  ir::Numbers numbers;  // of the functions' symbols: the check holds for these
};

struct Mismatch {
  std::string buffer;
  std::vector<std::int64_t> element;  // indices
  double expected = 0, got = 0;
  bool written = true;  // false: the schedule never writes it
};

struct Report {
  enum class Status {
    Verified,     // all of it was run, every element of the outputs is equal, nothing was found
    Partly,       // the same of the part that was run and compared: `left` and `compared` say how much
    Wrong,        // an element differs or is never written
    Faults,       // findings that make the result undefined
    NotCompared,  // what was run gives no whole element of an output
  };
  Status status = Status::Verified;
  std::int64_t compared = 0, total = 0;  // elements of the outputs that the program or the schedule writes
  bool sampled = false;
  std::vector<std::string> left;  // what was left out: "3 of 16 iterations of i_0 in main_kernel"
  std::vector<Finding> findings;
  // Inputs whose values were drawn from what they index, divide or shift: "G from 0 to 15".
  std::vector<std::string> drawn;
  // Inputs of which nobody knows what values are meant, where the program itself reads or writes outside, divides by
  // zero or shifts too far by what was drawn: what depends on that wasn't compared.
  std::vector<std::string> unknownInputs;
  std::optional<Mismatch> first;
  std::int64_t mismatches = 0;  // of those compared
  // Set when the program can't be a kernel, with the lowering's error: then it was run in order by one thread, which
  // tells whether the steps are right, but nothing about threads.
  std::optional<Error> inOrder;
  double milliseconds = 0;
  // All that was looked at is right: everything, or the part that the budget gave.
  bool foundNothing() const { return status == Status::Verified || status == Status::Partly; }
};

// "verified", "partly", "wrong", "faults", "not_compared".
const char* nameOf(Report::Status status);
// One line of text: "verified: 4096 of 1048576 elements compared, …".
std::string describe(const Report& report);

// Remembers what the original function computes, for many scheduled states of it.
class Checker {
 public:
  // Errors as Reference::create, and "ValueError" where a symbol of the function has no such value.
  static Result<Checker> create(const ir::Function& original, Options options = {});

  // A program that is no kernel runs in order (lower/sequential.h). Errors: "NotExecutable"; "NotComparable" when the
  // parameters' shapes or dtypes aren't the original's; "Cancelled".
  Result<Report> check(const ir::Function& scheduled);

 private:
  void addOriginal(std::vector<Finding>& findings) const;
  // Takes out what comes of inputs whose meant values aren't known: what the original does, too.
  Result<void> forgiveInputs(Report& report);
  // Faults of the original as one thread runs it, by kind and buffer, once they were asked for.
  std::optional<std::set<std::pair<Finding::Kind, std::string>>> own_;
  Checker(Reference reference, Options options) : reference_(std::move(reference)), options_(std::move(options)) {}
  Reference reference_;
  Options options_;
};

Result<Report> check(const ir::Function& original, const ir::Function& scheduled, const Options& options = {});

}  // namespace loom::exec
