"""Files, their content and their lines: file, file_line, ini_setting, concat_file."""
