past <- margin_time_folds(airquality$Month * 31 + airquality$Day, folds = 4, gap = 7)

# --

past

# --

margin_cv(Ozone ~ Wind + Temp + Solar.R, airquality, loss = "squared", folds = past,
          grid = list(lambda = 10^-(1:3)), metric = c("rmse", "r2"))

# --

margin_time_folds(airquality$Month * 31 + airquality$Day, horizon = 14, initial = 62)
