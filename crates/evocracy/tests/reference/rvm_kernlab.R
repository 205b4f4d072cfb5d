# Relevance vector regression by kernlab (version 0.9.32), the values of rvm_kernlab.json:
#     Rscript rvm_kernlab.R > rvm_kernlab.json
library(kernlab)
set.seed(1)
numbers <- function(v) paste0("[", paste(sprintf("%.17g", v), collapse = ","), "]")
cases <- c()
for (n in c(40, 80)) {
  x <- seq(-10, 10, length.out = n)
  y <- ifelse(x == 0, 1, sin(x) / x) + 0.1 * rnorm(n)
  for (sigma in c(0.05, 0.2)) {
    m <- rvm(as.matrix(x), y, type = "regression", kernel = "rbfdot",
             kpar = list(sigma = sigma), iterations = 20000, minmaxdiff = 1e-9)
    cases <- c(cases, sprintf(
      '{"sigma":%g,"x":%s,"y":%s,"kept":%s,"weights":%s,"noise":%.17g,"fitted":%s}',
      sigma, numbers(x), numbers(y), numbers(RVindex(m) - 1), numbers(alpha(m)), nvar(m),
      numbers(predict(m, as.matrix(x)))))
  }
}
writeLines(paste0("[", paste(cases, collapse = ",\n"), "]"))
