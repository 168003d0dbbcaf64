// Runs the built program `tileloom` as a process, in a temporary folder.
#pragma once
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace loom::cli {

// What a run of the program has left.
struct Ended {
  int status = -1;       // exit status; 128 + the signal that ended it; 124: it was killed after Surroundings::seconds;
                         // 127: it couldn't be started
  std::string out, err;  // what it wrote to stdout and stderr
  // Seconds from its start to its first output on stdout (−1: there was none, or it went elsewhere), and to its end.
  double firstOutput = -1, seconds = 0;
};

// The environment that the program is run in.
struct Surroundings {
  std::map<std::string, std::string> environment = {};  // environment variables, besides PATH and HOME (the folder)
  bool bare = false;                                    // whether PATH and HOME are left out
  std::string input = {};                               // what stdin contains
  // Where stdout goes: a file that exists, by its path (absolute, or relative to the folder); "-": stdout is closed;
  // "|": a pipe whose reader has gone. Empty: Ended::out.
  std::string output = {};
  bool errorsUnread = false;  // whether stderr is a pipe whose reader has gone; otherwise it goes to Ended::err
  double seconds = 20;        // after so many seconds the program is killed
  long fileBytes = -1;        // limit of the bytes of each file that it writes (RLIMIT_FSIZE); -1: none
};

// A temporary folder, which the destructor removes.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Writes a file into the folder and returns its name, under which a program started by `run` finds it.
  std::string file(const std::string& name, const std::string& content) const;
  // Returns the contents of a file in the folder; empty if there is no such file.
  std::string read(const std::string& name) const;
  // Runs the program in the folder with these arguments and waits for its end.
  Ended run(const std::vector<std::string>& arguments, const Surroundings& surroundings = {}) const;

 private:
  std::filesystem::path path_;
};

// Returns a float32 matrix product of n × n × n as TVMScript; `n` is written into the text as it is. `kSchedule` has
// step lines that bind its rows to blocks and threads.
std::string product(const std::string& n = "64");
extern const std::string kSchedule;

// Returns the JSON objects that a command with --json has printed, one a line. A line that is no JSON object fails the
// test.
std::vector<nlohmann::json> objects(const std::string& text);

}  // namespace loom::cli
