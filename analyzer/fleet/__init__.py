"""Ask one question of every catalog of a site: a folder of catalogs, PuppetDB, a control repo."""
