# The help pages of the data that ship with the package; the scripts in data-raw/ made them.

#' Adult income, 1,605 rows
#'
#' Does a person earn more than 50,000 dollars a year? Census records, each numeric attribute cut
#' into fifths and each categorical one into indicators, as 123 binary features of which 14 or fewer
#' are 1. This is `a1a`, the smallest training set of the series a1a to a9a on the LIBSVM data page;
#' [margin_data()] reads the others.
#'
#' @format A list with
#'   * `x`: a sparse matrix of class `dgCMatrix`, 1,605 rows and 123 columns, with 22,249 ones,
#'   * `y`: a numeric vector, +1 for more than 50,000 dollars (395 rows), -1 for less (1,210 rows).
#'
#'   Ten columns are zero in these rows (`which(Matrix::colSums(a1a$x) == 0)`); each of them is used
#'   in the larger sets of the series.
#' @source LIBSVM data page, <https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/>, from the
#'   Adult data of the UCI Machine Learning Repository.
#' @section Licence:
#' Creative Commons Attribution 4.0 International (CC BY 4.0), as the Adult data.
#' @references Becker, B. and Kohavi, R. (1996). Adult. UCI Machine Learning Repository.
#'   \doi{10.24432/C5XW20}
#'
#'   Platt, J. C. (1999). Fast training of support vector machines using sequential minimal
#'   optimization. In *Advances in Kernel Methods: Support Vector Learning*, MIT Press, 185-208.
#'
#'   Chang, C.-C. and Lin, C.-J. (2011). LIBSVM: a library for support vector machines. *ACM
#'   Transactions on Intelligent Systems and Technology* 2(3), 27. \doi{10.1145/1961189.1961199}
#' @examples
#' dim(a1a$x)
#' table(a1a$y)
"a1a"

#' Spam in e-mail, 4,601 messages
#'
#' Is a message spam? Frequencies of words and characters, and lengths of runs of capital letters,
#' in 4,601 messages received at Hewlett-Packard Labs in 1999. Dense, with columns on very different
#' scales. The words "george" and "650" are the recipient's name and area code, so they point to
#' good mail.
#'
#' @format A data frame with 4,601 rows and 58 columns:
#'   * `word_freq_*` (48 columns): percentage of the words of the message that are this word,
#'   * `char_freq_*` (6 columns): percentage of its characters that are `;`, `(`, `[`, `!`, `$` or
#'     `#`, here called semicolon, parenthesis, bracket, exclamation, dollar, hash,
#'   * `capital_run_length_average`, `capital_run_length_longest`, `capital_run_length_total`: mean,
#'     largest and total length of the unbroken runs of capital letters, in letters,
#'   * `type`: factor, `nonspam` (2,788 rows) or `spam` (1,813 rows).
#' @source UCI Machine Learning Repository, <https://archive.ics.uci.edu/dataset/94/spambase>. The
#'   names are those of the repository, with the six characters spelt out.
#' @section Licence:
#' Creative Commons Attribution 4.0 International (CC BY 4.0).
#' @references Hopkins, M., Reeber, E., Forman, G. and Suermondt, J. (1999). Spambase. UCI Machine
#'   Learning Repository. \doi{10.24432/C53G6X}
#' @examples
#' table(spambase$type)
#' aggregate(char_freq_exclamation ~ type, spambase, mean)
"spambase"

#' Gene expression in colon tissue, 62 samples
#'
#' Is a tissue sample of a tumour? Expression of 2,000 genes, the ones with the highest minimal
#' intensity, measured by Affymetrix oligonucleotide arrays: far more columns than rows.
#'
#' @format A list with
#'   * `x`: a numeric matrix of 62 samples and 2,000 genes (`X1` to `X2000`), raw intensities, all
#'     positive,
#'   * `y`: a factor, `normal` (22 samples) or `tumour` (40 samples).
#' @source The data of Alon and others (1999), taken from the R package datamicroarray by J. A.
#'   Ramey, <https://github.com/ramhiser/datamicroarray>.
#' @section Licence:
#' The authors published the data with their article and state no licence; the R package from which
#' this copy was taken is under the MIT licence.
#' @references Alon, U., Barkai, N., Notterman, D. A., Gish, K., Ybarra, S., Mack, D. and Levine,
#'   A. J. (1999). Broad patterns of gene expression revealed by clustering analysis of tumor and
#'   normal colon tissues probed by oligonucleotide arrays. *Proceedings of the National Academy of
#'   Sciences* 96(12), 6745-6750. \doi{10.1073/pnas.96.12.6745}
#' @examples
#' dim(colon$x)
#' table(colon$y)
#' range(colon$x)
"colon"
