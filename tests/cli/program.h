// Runs the built program as a process, in a folder of its own.
#pragma once
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace loom::cli {

struct Ended {
  int status = -1;  // the exit status; 128 + the signal where one ended it; 124 when it did not end in time
  std::string out, err;
  double firstOutput = -1, seconds = 0;  // until its first output, and its end; −1: it had none
};

struct Surroundings {
  std::map<std::string, std::string> environment = {};  // over a bare one: PATH, HOME
  bool bare = false;                                    // no variables but those of `environment`
  std::string input = {};                               // standard input
  std::string output = {};                              // a file that standard output goes to; "-": closed; "|": unread
  bool errorsUnread = false;                            // standard error is a pipe whose reader has gone
  double seconds = 20;                                  // it must end within
  long fileBytes = -1;                                  // no file may grow past this; -1: any may
};

// A folder that ends with the test.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Writes a file and gives its name, which `run` finds.
  std::string file(const std::string& name, const std::string& content) const;
  std::string read(const std::string& name) const;
  Ended run(const std::vector<std::string>& arguments, const Surroundings& surroundings = {}) const;

 private:
  std::filesystem::path path_;
};

// A matrix product of n × n × n, float32, and a schedule of it.
std::string product(const std::string& n = "64");
extern const std::string kSchedule;

// The objects that a verb with `--json` printed, one a line; a line that is none fails the test.
std::vector<nlohmann::json> objects(const std::string& text);

}  // namespace loom::cli
