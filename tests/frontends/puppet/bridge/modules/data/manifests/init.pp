class data($key = 0) { }
