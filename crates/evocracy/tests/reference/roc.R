# Writes roc_proc.json: what R's pROC says of the data sets in roc.json; see roc.py.
#   apt-get install r-cran-proc r-cran-jsonlite; Rscript roc.R
suppressMessages({library(pROC); library(jsonlite)})
data <- fromJSON("roc.json", simplifyVector = TRUE, simplifyDataFrame = FALSE)
curve <- function(truth, scores)
  roc(truth, scores, levels = c(FALSE, TRUE), direction = "<", quiet = TRUE)
number <- function(x) if (length(x) == 0 || any(!is.finite(x))) NULL else as.numeric(x)
try_number <- function(e) tryCatch(number(suppressWarnings(e)), error = function(e) NULL)
partial <- function(r, span, focus, correct)
  try_number(auc(r, partial.auc = span, partial.auc.focus = focus, partial.auc.correct = correct,
                 allow.invalid.partial.auc.correct = TRUE))

case <- function(case) {
  if (!is.null(case$weights)) return(NULL)  # pROC has no weights
  a <- curve(case$truth, case$scores)
  b <- curve(case$truth, case$second)
  half <- seq_along(case$truth) %% 2 == 0
  both <- function(rows) any(case$truth[rows]) && any(!case$truth[rows])
  apart <- if (both(half) && both(!half) && length(half) > 10)
    roc.test(curve(case$truth[half], case$scores[half]),
             curve(case$truth[!half], case$second[!half]), paired = FALSE, method = "delong")
  paired <- tryCatch(roc.test(a, b, paired = TRUE, method = "delong"), error = function(e) NULL)
  list(
    name = case$name, auc = number(auc(a)), variance = try_number(var(a, method = "delong")),
    covariance = try_number(cov(a, b, method = "delong")),
    plain = try_number(ci.auc(a, method = "delong")[c(1, 3)]),
    z = number(paired$statistic), p = number(paired$p.value),
    t = number(apart$statistic), df = number(apart$parameter), apart_p = number(apart$p.value),
    fpr = partial(a, c(1, 0.8), "spec", FALSE), fpr_corrected = partial(a, c(1, 0.8), "spec", TRUE),
    strip = partial(a, c(0.9, 0.6), "spec", FALSE),
    tpr = partial(a, c(1, 0.7), "sens", FALSE), tpr_corrected = partial(a, c(1, 0.7), "sens", TRUE),
    youden = number(max(a$sensitivities + a$specificities - 1)),
    best = number(unlist(coords(a, "best", best.method = "youden", best.weights = c(5, 0.1),
                         ret = c("specificity", "sensitivity"), transpose = FALSE)[1, ])))
}

million <- function() {
  i <- as.numeric(1:1000000)
  fraction <- function(x) x - floor(x)
  truth <- fraction(i * sqrt(2)) < 0.3
  a <- curve(truth, fraction(i * sqrt(3)) + 0.4 * truth)
  b <- curve(truth, floor(1000 * (fraction(i * sqrt(5)) + 0.3 * truth)))
  paired <- roc.test(a, b, paired = TRUE, method = "delong")
  list(first = number(auc(a)), second = number(auc(b)), variance = var(a, method = "delong"),
       covariance = cov(a, b, method = "delong"), z = number(paired$statistic))
}

power <- function() {
  plan <- function(auc, kappa, power) {
    found <- power.roc.test(auc = auc, power = power, kappa = kappa)
    list(auc = auc, ratio = kappa, power = power, cases = found$ncases)
  }
  list(plan(0.7, 1, 0.8), plan(0.8, 3, 0.9), plan(0.6, 0.5, 0.95))
}

found <- list(cases = Filter(Negate(is.null), lapply(data$cases, case)), million = million(),
              power = power())
write(toJSON(found, digits = NA, auto_unbox = TRUE, null = "null"), "roc_proc.json")
