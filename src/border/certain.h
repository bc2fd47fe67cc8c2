// What is certain of the optimum of a fit, wherever its rows lie: the rows and what was found for
// each class problem become regions, and regions intervals of scores.
#pragma once

#include <memory>
#include <vector>

#include "base/function_ref.h"
#include "border/again.h"
#include "border/decide.h"
#include "decide/asked_rows.h"
#include "decide/settle.h"
#include "decide/workspace.h"
#include "region/of_robust.h"

namespace dualmargin::region {

using decide::Known;
using decide::Workspace;

// Its threads are those that a frame asks for.
struct FrameTeam : Team {
  explicit FrameTeam(const Rcpp::List& frame);
};

enum class Family { penalised, robust, hard, limited };

struct Question {
  const Rcpp::List& given;
  Family family;
  bool free;
  int classes;
  LossPtr phi;
  Mat y, w;
  Vec omega, b;

  explicit Question(const Rcpp::List& problem);
  double number(const char* name) const { return border::number_at(given, name); }
  double number(const char* name, int k) const { return border::vec_at(given, name)[k]; }
  // an error where it is of other rows
  void fits(const Storage& data, const RowFrame& at) const;
  RowVec column(const char* name, int k) const;
  ElasticNet penalty() const;
  RobustSet robust() const;
};

// The class problems of a question, on one copy of the rows.
class Classes {
 public:
  Classes(const Storage& data, const Question& ask, Team& team);
  const Problem& operator[](int k) const { return *problems_[k]; }
  const Rows& rows() const { return workspaces_[0]->rows; }

 private:
  std::vector<std::unique_ptr<Workspace>> workspaces_;
  std::vector<std::unique_ptr<Problem>> problems_;
};

// Once more the rows whose class is open, with the offset of each class problem around row(i).
void sharpen(const Classes& classes, const std::vector<Known>& known, FunctionRef<Vec(Index)> row,
             const std::vector<Index>& open, std::vector<Ends>& ends, Tick& tick);

// data: in the frame `at`. sharper: of open rows sharper intervals?
Rcpp::List certain_of(const Storage& data, const RowFrame& at, const Question& ask, Team& team,
                      bool sharper, Tick& tick);

// Where a fit was, in the coordinates of the rows of its problem.
struct Place {
  Vec w;
  double b;
  const Vec& origin;  // of the user's x = 0
};

// What the rows of a fit say further of others: the offset is looked at around each of those that are
// open, and the problems are solved further. given: problem and further, see Question and Further.
// solved_of(ask, problem, k, place): how class problem k is solved further.
using SolvedOf = FunctionRef<decide::Solved(const Question& ask, const Problem& problem, int k,
                                            const Place& place)>;
void look_further(const Storage& data, const RowFrame& at, const Rcpp::List& given,
                  const border::Further& further, const Rcpp::List& regions,
                  const decide::AskedRows& rows, std::vector<Ends>& ends, SolvedOf solved_of,
                  Team& team, Tick& tick);

// Intervals of other rows, in the frame of the regions. again(rows, ends): what the rows of the fit
// say further.
using LookAgain = FunctionRef<void(const decide::AskedRows& rows, std::vector<Ends>& ends)>;
Rcpp::List certain_of_others(SEXP x, const Rcpp::List& frame, const Rcpp::List& regions, Team& team,
                             LookAgain again, Tick& tick);

}  // namespace dualmargin::region
