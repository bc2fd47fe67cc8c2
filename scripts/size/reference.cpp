// What the seconds of the units are compared with, since clocks differ and jump: never to be changed.
#include <Eigen/Cholesky>
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

double reference(const Eigen::MatrixXd& x, const Eigen::VectorXd& y) {
  const Eigen::MatrixXd gram = x.transpose() * x;
  const Eigen::VectorXd w = gram.llt().solve(x.transpose() * y);
  std::map<std::string, std::function<double(double)>> table;
  table["square"] = [](double v) { return v * v; };
  std::vector<double> sorted(w.data(), w.data() + w.size());
  std::sort(sorted.begin(), sorted.end());
  return table["square"](sorted.empty() ? 0.0 : sorted.front());
}
