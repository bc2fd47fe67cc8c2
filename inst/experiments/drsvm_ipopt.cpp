// A driver of IPOPT for _drsvm_ipopt.R, which compiles it; no part of the package. It solves
//   min cost'x + quad/2 |x_Q|^2  over  A x = b, G x <= h, x >= lower, |x_V|_2 <= x_t,
// the last as x_V'x_V - x_t^2 <= 0 with x_t >= 0, as a modelling language hands it to a solver of
// smooth problems. Usage: drsvm_ipopt FOLDER TOLERANCE SECONDS; the folder has
//   shape.txt  columns, rows of A, rows of G, quad, length of Q, length of V
//   cost lower b h (doubles), A.p A.i A.x, G.p G.i G.x (by columns), Q, V (integers), t is V's first
// and gets x (doubles) and answer.txt: IPOPT's status, seconds of the processor, iterations.
#include <IpIpoptApplication.hpp>
#include <IpSolveStatistics.hpp>
#include <IpTNLP.hpp>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

using namespace Ipopt;

namespace {

template <class T>
std::vector<T> read(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  std::vector<T> values(in ? static_cast<std::size_t>(in.tellg()) / sizeof(T) : 0);
  in.seekg(0);
  in.read(reinterpret_cast<char*>(values.data()), values.size() * sizeof(T));
  return values;
}

struct Columns {
  std::vector<int> p, i;  // p is empty where there are no rows
  int first(int j) const { return p.empty() ? 0 : p[j]; }
  std::vector<double> x;
};
Columns read_columns(const std::string& path) {
  return {read<int>(path + ".p"), read<int>(path + ".i"), read<double>(path + ".x")};
}

struct Program {
  int columns = 0, equal = 0, rows = 0;
  double quad = 0;
  std::vector<double> cost, lower, b, h;
  Columns A, G;
  std::vector<int> q, v;
};

class Smooth : public TNLP {
 public:
  Smooth(const Program& program, std::vector<double>& answer) : p_(program), answer_(answer) {}

  bool get_nlp_info(Index& n, Index& m, Index& jacobian, Index& hessian, IndexStyleEnum& style) {
    n = p_.columns;
    m = p_.equal + p_.rows + cone();
    jacobian = p_.A.x.size() + p_.G.x.size() + p_.v.size();
    hessian = p_.q.size() + p_.v.size();
    style = C_STYLE;
    return true;
  }
  bool get_bounds_info(Index n, Number* low, Number* high, Index, Number* g_low, Number* g_high) {
    for (int j = 0; j < n; ++j) low[j] = p_.lower[j] > -1e300 ? p_.lower[j] : -2e19, high[j] = 2e19;
    int k = 0;
    for (int r = 0; r < p_.equal; ++r, ++k) g_low[k] = g_high[k] = p_.b[r];
    for (int r = 0; r < p_.rows; ++r, ++k) g_low[k] = -2e19, g_high[k] = p_.h[r];
    if (cone()) g_low[k] = -2e19, g_high[k] = 0;
    return true;
  }
  bool get_starting_point(Index n, bool, Number* x, bool, Number*, Number*, Index, bool, Number*) {
    for (int j = 0; j < n; ++j) x[j] = 0;
    return true;
  }
  bool eval_f(Index n, const Number* x, bool, Number& value) {
    value = 0;
    for (int j = 0; j < n; ++j) value += p_.cost[j] * x[j];
    for (int j : p_.q) value += p_.quad / 2 * x[j] * x[j];
    return true;
  }
  bool eval_grad_f(Index n, const Number* x, bool, Number* gradient) {
    for (int j = 0; j < n; ++j) gradient[j] = p_.cost[j];
    for (int j : p_.q) gradient[j] += p_.quad * x[j];
    return true;
  }
  bool eval_g(Index n, const Number* x, bool, Index m, Number* g) {
    for (int k = 0; k < m; ++k) g[k] = 0;
    for (int j = 0; j < n; ++j) {
      for (int k = p_.A.first(j); k < p_.A.first(j + 1); ++k) g[p_.A.i[k]] += p_.A.x[k] * x[j];
      for (int k = p_.G.first(j); k < p_.G.first(j + 1); ++k) {
        g[p_.equal + p_.G.i[k]] += p_.G.x[k] * x[j];
      }
    }
    for (int j : p_.v) g[m - 1] += (j == p_.v[0] ? -1 : 1) * x[j] * x[j];
    return true;
  }
  bool eval_jac_g(Index n, const Number* x, bool, Index m, Index, Index* row, Index* column,
                  Number* value) {
    int at = 0;
    const auto put = [&](int r, int c, double entry) {
      if (value) value[at] = entry;
      if (!value) row[at] = r, column[at] = c;
      ++at;
    };
    for (int j = 0; j < n; ++j) {
      for (int k = p_.A.first(j); k < p_.A.first(j + 1); ++k) put(p_.A.i[k], j, p_.A.x[k]);
      for (int k = p_.G.first(j); k < p_.G.first(j + 1); ++k) {
        put(p_.equal + p_.G.i[k], j, p_.G.x[k]);
      }
    }
    for (int j : p_.v) put(m - 1, j, x ? (j == p_.v[0] ? -2 : 2) * x[j] : 0);
    return true;
  }
  bool eval_h(Index, const Number*, bool, Number factor, Index m, const Number* lambda, bool, Index,
              Index* row, Index* column, Number* value) {
    int at = 0;
    const auto put = [&](int j, double entry) {
      if (value) value[at] = entry;
      if (!value) row[at] = column[at] = j;
      ++at;
    };
    for (int j : p_.q) put(j, factor * p_.quad);
    for (int j : p_.v) put(j, value ? (j == p_.v[0] ? -2 : 2) * lambda[m - 1] : 0);
    return true;
  }
  void finalize_solution(SolverReturn, Index n, const Number* x, const Number*, const Number*,
                         Index, const Number*, const Number*, Number, const IpoptData*,
                         IpoptCalculatedQuantities*) {
    answer_.assign(x, x + n);
  }

 private:
  int cone() const { return p_.v.empty() ? 0 : 1; }
  const Program& p_;
  std::vector<double>& answer_;
};

}  // namespace

int main(int, char** argv) {
  const std::string at = std::string(argv[1]) + "/";
  Program program;
  std::ifstream(at + "shape.txt") >> program.columns >> program.equal >> program.rows >>
      program.quad;
  program.cost = read<double>(at + "cost");
  program.lower = read<double>(at + "lower");
  program.b = read<double>(at + "b");
  program.h = read<double>(at + "h");
  program.A = read_columns(at + "A");
  program.G = read_columns(at + "G");
  program.q = read<int>(at + "Q");
  program.v = read<int>(at + "V");

  std::vector<double> x;
  SmartPtr<TNLP> problem = new Smooth(program, x);
  SmartPtr<IpoptApplication> solver = IpoptApplicationFactory();
  solver->Options()->SetNumericValue("tol", std::atof(argv[2]));
  solver->Options()->SetNumericValue("max_cpu_time", std::atof(argv[3]));
  solver->Options()->SetIntegerValue("print_level", 0);
  solver->Options()->SetStringValue("sb", "yes");
  if (program.v.empty()) {  // a linear or quadratic program: one evaluation of its derivatives
    solver->Options()->SetStringValue("jac_c_constant", "yes");
    solver->Options()->SetStringValue("jac_d_constant", "yes");
    solver->Options()->SetStringValue("hessian_constant", "yes");
  }
  int status = solver->Initialize();
  const std::clock_t start = std::clock();
  if (status == Solve_Succeeded) status = solver->OptimizeTNLP(problem);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  SmartPtr<SolveStatistics> said = solver->Statistics();
  std::ofstream(at + "x", std::ios::binary)
      .write(reinterpret_cast<const char*>(x.data()), x.size() * sizeof(double));
  std::ofstream(at + "answer.txt")
      << status << ' ' << seconds << ' ' << (IsValid(said) ? said->IterationCount() : -1) << '\n';
  return 0;
}
