table(spambase$type)

# --

aggregate(char_freq_exclamation ~ type, spambase, mean)
