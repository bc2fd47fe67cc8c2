# Part of smiso.R: Figures 1 and 2 on the axes of the paper. Between the epochs that the
# tables tell every one to 20 and some later ones, each a run of its own, as the parts "dropout",
# "steps", "images" and "text" have them; of the seeds the file has the median and the range. Of
# reviews and of images that are scaled or whose pixels are raised to powers, which take ten times
# as long as the others, it has 45 beyond 20. --of=images: of that part alone; --kinds=<regex>: of
# those images alone; --methods=<regex>: those methods alone; 0.1: of reviews that rate alone.
# writes: smiso_curves.csv
# depends: inst/experiments/_smiso_dropout.R inst/experiments/_smiso_steps.R
# depends: inst/experiments/_smiso_images.R inst/experiments/_smiso_text.R
# depends: inst/experiments/_smiso_suboptimality.R
# depends: core src/augmented R/margin_augmented.R R/perturbation.R
# seeds: 1 to 20, 100 (references), 20170201 (draws of the estimate)

keep_curves <- function(runs, setting) {
  each <- split(runs$suboptimality, runs[c("epochs", "method")], drop = TRUE)
  of_seeds <- function(f) signif(vapply(each, f, 0), 3)
  rows <- data.frame(setting, method = sub("^[0-9]+[.]", "", names(each)),
                     epochs = as.integer(sub("[.].*", "", names(each))), low = of_seeds(min),
                     middle = of_seeds(stats::median), high = of_seeds(max), row.names = NULL)
  save_results(rows, "curves", replaced = c("setting", "method"),
               keys = c("setting", "method", "epochs"),
               seeds = c(unique(runs$seed), if (one != "images" && setting != "reviews, rate 0") {
                 c("100 (references)", "20170201 (draws)")
               }))
}
chosen_parts <- if (spotting) "images" else c("dropout", "steps", "images", "text")
if (length(asked("of"))) chosen_parts <- intersect(chosen_parts, asked("of"))
for (one in chosen_parts) source(file.path(home, sprintf("_smiso_%s.R", one)))
keep_curves <- NULL
