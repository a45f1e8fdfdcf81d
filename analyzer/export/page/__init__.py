"""The HTML page: `html_page` writes it, `page_data` and `scenes` are its data."""
