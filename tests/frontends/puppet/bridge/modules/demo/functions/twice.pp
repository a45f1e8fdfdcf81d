function demo::twice($value) { "${value}${value}" }
