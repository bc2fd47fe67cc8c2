kernel_rbf(sigma = 0.1)

# --

margin_kernel(Species ~ ., data = iris, kernel = kernel_polynomial(degree = 2))

# --

D <- as.matrix(dist(scale(iris[1:4])))

# --

train <- seq(1, 150, by = 2)

# --

K <- exp(-0.3 * D^2)

# --

fit <- margin_kernel(K[train, train], iris$Species[train], kernel = kernel_precomputed())

# --

mean(predict(fit, K[-train, train]) == iris$Species[-train])

# --

sigmoid <- function(a, b) tanh(tcrossprod(as.matrix(a), as.matrix(b)) + 0.5)

# --

try(margin_kernel(Species ~ ., data = iris, kernel = sigmoid))
