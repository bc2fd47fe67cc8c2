loss_smooth_hinge(gamma = 0.5)

# --

x <- as.matrix(iris[1:100, 1:4])

# --

y <- droplevels(iris$Species[1:100])

# --

margin_linear(x, y, loss = loss_smooth_hinge(gamma = 0.5))

# --

wild <- transform(cars, dist = replace(dist, 50, 850))

# --

sapply(list(squared = loss_squared(), huber = loss_huber()), function(loss) {
  coef(margin_linear(dist ~ speed, data = wild, loss = loss, lambda = 1e-4))
})

# --

nine <- margin_linear(dist ~ speed, data = cars, loss = loss_quantile(c(0.05, 0.5, 0.95)),
                      lambda = 1e-4)

# --

nine

# --

predict(nine, data.frame(speed = c(5, 15, 25)))

# --

train <- seq_len(nrow(mtcars)) %% 3 > 0

# --

svr <- margin_kernel(mpg ~ wt + hp, data = mtcars[train, ], kernel = kernel_rbf(0.3), cost = 10,
                     loss = loss_epsilon_insensitive(0.2))

# --

svr

# --

sqrt(mean((predict(svr, mtcars[!train, ]) - mtcars$mpg[!train])^2))
