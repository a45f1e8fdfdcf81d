type Demo::Word = Pattern[/\A\w+\z/]
