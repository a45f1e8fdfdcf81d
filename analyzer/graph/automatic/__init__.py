"""The automatic relationships that types declare: autorequire and its like.

`rules` has a row and a set of rows; `core`, `modules` and `openstack` are the tables, made of the
selectors next to them; `tables` chooses the rules for a catalog, `user_rules` reads those of users.
"""
