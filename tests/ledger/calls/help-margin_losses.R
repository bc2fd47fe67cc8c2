margin_losses()
