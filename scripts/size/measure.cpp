// Runs a command and says what it took: seconds of processor, MB at most, its status.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

int main(int, char** argv) {
  const pid_t child = fork();
  if (child == 0) {
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) != child) return 1;
  const auto seconds = [](const timeval& t) { return t.tv_sec + 1e-6 * t.tv_usec; };
  std::printf("%.2f %.0f %d\n", seconds(used.ru_utime) + seconds(used.ru_stime),
              used.ru_maxrss / 1024.0, WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}
