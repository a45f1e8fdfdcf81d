"""Providers: what each type of resource changes on a host (Puppet::Provider).

Read `table` first: which provider a type has; `guard` stands around each. Types with helpers have
rooms: `files/`, `packages/`, `services/`, `users/`; `machine/` is this machine behind the port
`host`. What providers share is in `parameters` (values), `properties` (messages of changes) and
`records` (resources that are lines of a file).
"""
