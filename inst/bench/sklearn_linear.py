"""Fits scikit-learn's linear models for inst/bench/linear_peers.R and reports the seconds of fit().

Usage: sklearn_linear.py FOLDER, with the matrix by rows in FOLDER (shape.txt: n, d, dense or csr;
y, data, indices, indptr: raw little-endian numbers). Each line of standard input is one fit:
    number estimator loss penalty lambda solver tol
It leaves FOLDER/w (the coefficients, raw) and then FOLDER/answer.json, which appears complete; at
the start FOLDER/ready, with the number of the process.
"""
import json
import os
import sys
import time
import warnings

import numpy as np
import scipy.sparse
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVC

warnings.filterwarnings("ignore")
folder = sys.argv[1]


def read(name, kind):
    return np.fromfile(os.path.join(folder, name), dtype=kind)


with open(os.path.join(folder, "shape.txt"), encoding="ascii") as file:
    n, d, layout = file.read().split()
n, d = int(n), int(d)
y = read("y", "<f8")
if layout == "dense":
    x = read("data", "<f8").reshape(n, d)
else:
    parts = (read("data", "<f8"), read("indices", "<i4"), read("indptr", "<i4"))
    x = scipy.sparse.csr_matrix(parts, shape=(n, d))


def model(estimator, loss, penalty, lam, solver, tol):
    """The estimator whose optimum is that of mean(loss) + lam * penalty, without intercept."""
    if estimator == "Ridge":
        return Ridge(alpha=lam * n, fit_intercept=False, solver=solver, tol=tol, max_iter=100000)
    common = dict(C=1 / (lam * n), fit_intercept=False, tol=tol, penalty=penalty, random_state=0)
    if estimator == "LogisticRegression":
        return LogisticRegression(solver=solver, max_iter=100000, **common)
    return LinearSVC(loss=loss, dual=solver == "dual", max_iter=1000000, **common)


def leave(name, text):
    partial = os.path.join(folder, "partial")
    with open(partial, "w", encoding="ascii") as file:
        file.write(text)
    os.replace(partial, os.path.join(folder, name))


leave("ready", str(os.getpid()))
for line in sys.stdin:
    number, estimator, loss, penalty, lam, solver, tol = line.split()
    fit = model(estimator, loss, penalty, float(lam), solver, float(tol))
    answer = {"number": int(number)}
    try:
        start, cpu = time.perf_counter(), time.thread_time()
        fit.fit(x, y)
        answer["seconds"] = time.perf_counter() - start
        answer["cpu"] = time.thread_time() - cpu
        np.ravel(fit.coef_).astype("<f8").tofile(os.path.join(folder, "w"))
    except (ValueError, MemoryError, np.linalg.LinAlgError) as problem:
        answer["error"] = str(problem)[:200]
    leave("answer.json", json.dumps(answer))
