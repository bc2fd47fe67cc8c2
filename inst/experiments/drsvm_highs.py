"""HiGHS as scipy has it, for inst/experiments/_drsvm_times.R where R has no package highs.

Usage: drsvm_highs.py FOLDER METHOD TOLERANCE SECONDS. FOLDER has cost, lower, G and A by columns
(name.p, name.i, name.x), h, b and shape.txt (columns, rows of G, rows of A), raw little-endian
numbers. It leaves x, duals (of A) and answer.txt: status, seconds and seconds of the processor of
linprog() alone, version. scipy offers no way to leave out the crossover.
"""
import os
import sys
import time
import warnings

import numpy as np
import scipy
from scipy.optimize import linprog
from scipy.sparse import csc_matrix

warnings.filterwarnings("ignore")
folder, method, tolerance, limit = sys.argv[1:5]


def read(name, kind="<f8"):
    return np.fromfile(os.path.join(folder, name), dtype=kind)


with open(os.path.join(folder, "shape.txt"), encoding="ascii") as file:
    columns, rows, equal = map(int, file.read().split())


def matrix(name, count):
    if not count:
        return None
    parts = (read(name + ".x"), read(name + ".i", "<i4"), read(name + ".p", "<i4"))
    return csc_matrix(parts, shape=(count, columns))


G, A = matrix("G", rows), matrix("A", equal)
bounds = np.column_stack([read("lower"), np.full(columns, np.inf)])
options = {"time_limit": float(limit), "primal_feasibility_tolerance": float(tolerance),
           "dual_feasibility_tolerance": float(tolerance), "disp": False}
if method == "highs-ipm":
    options["ipm_optimality_tolerance"] = float(tolerance)
wall, processor = time.time(), time.process_time()
fit = linprog(read("cost"), A_ub=G, b_ub=read("h"), A_eq=A, b_eq=read("b") if equal else None,
              bounds=bounds, method=method, options=options)
wall, processor = time.time() - wall, time.process_time() - processor
x = fit.x if fit.x is not None else np.zeros(0)
duals = fit.eqlin.marginals if equal and fit.x is not None else np.zeros(0)
np.asarray(x, "<f8").tofile(os.path.join(folder, "x"))
np.asarray(duals, "<f8").tofile(os.path.join(folder, "duals"))
with open(os.path.join(folder, "answer.txt"), "w", encoding="ascii") as file:
    file.write(f"{fit.status} {wall} {processor} {scipy.__version__}\n")
