"""Random Puppet resources, one maker a type; they name each other so that automatic rules bite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random


def quote(text: str) -> str:
    """A Puppet single-quoted string."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def array(values: list[str]) -> str:
    """A Puppet array of expressions."""
    return "[" + ", ".join(values) + "]"


@dataclass(slots=True)
class Item:
    """One declared resource; `params` are Puppet expressions, `names` are further titles."""

    type: str
    title: str
    params: list[tuple[str, str]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    virtual: bool = False

    def ref(self, title: str | None = None) -> str:
        """A reference to it, as written in a manifest."""
        segments = "::".join(part.capitalize() for part in self.type.split("::"))
        return f"{segments}[{quote(title if title is not None else self.title)}]"


@dataclass(slots=True)
class Pool:
    """What has been made so far; `alias_share` is how often a title is not the name."""

    rng: Random
    alias_share: float = 0.15
    items: list[Item] = field(default_factory=list)
    users: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    mounts: list[str] = field(default_factory=list)
    titles: set[tuple[str, str]] = field(default_factory=set)

    def chance(self, share: float) -> bool:
        """True in about this share of the calls."""
        return self.rng.random() < share

    def fresh(self, kind: str, candidates: list[str]) -> str:
        """A title or name that no other resource of the type has."""
        free = [c for c in candidates if (kind, c) not in self.titles]
        name = self.rng.choice(free) if free else f"{candidates[0]}{len(self.titles)}"
        self.titles.add((kind, name))
        return name

    def some(self, made: list[str], others: list[str]) -> str:
        """Mostly one that is managed, now and then one that is not."""
        return self.rng.choice(made if made and self.chance(0.85) else others)

    def named(self, kind: str, namevar: str, name: str, params: list[tuple[str, str]]) -> Item:
        """An item that is titled by its name, or by a label with the name as a parameter."""
        if not self.chance(self.alias_share):
            return Item(kind, name, params)
        label = self.fresh(kind, [f"{kind}-{word}" for word in WORDS])
        return Item(kind, label, [(namevar, quote(name)), *params], [name])


WORDS = ["alpha", "beta", "gamma", "delta", "eps", "zeta", "eta", "theta", "iota", "kappa", "mu"]
SEGMENTS = ["srv", "data", "etc", "opt", "conf.d", "app", "www", "a", "b", "log"]
PEOPLE = ["alice", "bob", "carol", "dave", "erin", "frank", "grace"]
TEAMS = ["wheel", "web", "ops", "dba", "staff"]


def make_group(pool: Pool) -> Item:
    """group; sometimes with a number that users may name as their gid."""
    name = pool.fresh("group", TEAMS)
    params = []
    if pool.chance(0.6):
        gid = str(3000 + len(pool.groups))
        params.append(("gid", gid if pool.chance(0.5) else quote(gid)))
        pool.groups.append(gid)
    pool.groups.append(name)
    return pool.named("group", "name", name, params)


def make_user(pool: Pool) -> Item:
    """user with gid by name or number and further groups."""
    rng, name = pool.rng, pool.fresh("user", PEOPLE)
    params = []
    if pool.chance(0.7):
        gid = pool.some(pool.groups, ["3999", "nogroup"])
        params.append(("gid", gid if gid.isdigit() and pool.chance(0.5) else quote(gid)))
    names = [g for g in pool.groups if not g.isdigit()]
    if pool.chance(0.5):
        chosen = rng.sample(names, min(len(names), rng.randint(1, 3))) or ["adm"]
        params.append(("groups", array([quote(g) for g in chosen])))
    pool.users.append(name)
    return pool.named("user", "name", name, params)


def _path(pool: Pool) -> str:
    rng = pool.rng
    base = rng.choice([*pool.paths, *pool.mounts, ""])
    tail = [rng.choice(SEGMENTS) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    return base + "/" + "/".join(tail)


def make_file(pool: Pool) -> Item:
    """file: nested, owned, a link, under another title, with a trailing slash or a doubled one."""
    path = _path(pool)
    while path in pool.paths or ("file", path) in pool.titles:
        path += "/" + pool.rng.choice(SEGMENTS)
    pool.titles.add(("file", path))
    params = _file_content(pool)
    if pool.chance(0.5):
        params.append(("owner", _owner(pool, pool.users, "nobody")))
    if pool.chance(0.4):
        params.append(("group", _owner(pool, pool.groups, "nogroup")))
    pool.paths.append(path)
    written = path
    if pool.chance(0.1):
        written = path + "/"
    elif pool.chance(0.04):
        written = path.replace("/", "//", 1) if pool.chance(0.5) else path + "/x/.."
    if written != path and not pool.chance(pool.alias_share):
        return Item("file", written, params, [path] if written == path + "/" else [])
    return pool.named("file", "path", written, params)


def _file_content(pool: Pool) -> list[tuple[str, str]]:
    roll = pool.rng.random()
    target = pool.some(pool.paths, ["/nowhere", "../relative"])
    if roll < 0.12:
        return [("ensure", "link"), ("target", quote(target))]
    if roll < 0.18 and target.startswith("/"):
        return [("ensure", quote(target))]
    return [("ensure", pool.rng.choice(["directory", "file", "present", "absent"]))]


def _owner(pool: Pool, made: list[str], other: str) -> str:
    name = pool.some(made, [other, "0", "1000"])
    return name if name.isdigit() and pool.chance(0.5) else quote(name)


def make_exec(pool: Pool) -> Item:
    """exec: absolute command as title or parameter, text with paths at line starts, cwd, user."""
    rng = pool.rng
    words = [pool.some(pool.paths, ["/bin/true", "/usr/bin/make"]) for _ in range(3)]
    label = pool.fresh("exec", [f"run-{word}" for word in WORDS])
    params = [("command", _command(pool, words))]
    for check in ("unless", "onlyif"):
        if pool.chance(0.3):
            params.append((check, _check(pool)))
    if pool.chance(0.3):
        params.append(("cwd", quote(pool.some(pool.paths, ["/tmp"]))))
    if pool.chance(0.3):
        params.append(("user", quote(pool.some(pool.users, ["root", "1000"]))))
    if pool.chance(0.3):
        params.append(("creates", quote(rng.choice([*pool.paths, "/tmp/done"]))))
    if pool.chance(0.3):
        params.append(("refreshonly", "true"))
    if pool.chance(0.3) and ("exec", words[0] + " --go") not in pool.titles:
        pool.titles.add(("exec", words[0] + " --go"))
        return Item("exec", words[0] + " --go", params[1:])
    return Item("exec", label, params)


def _command(pool: Pool, words: list[str]) -> str:
    first, second, third = words
    forms = [
        quote(f"{first} {second} --all"),
        quote(f"{first}\n{second} x\n  {third}"),
        quote(f'"{first}" && {second}'),
        quote(f"{first}; {second}"),
        array([quote(first), quote(second)]),
        quote(f"/usr/bin/env A=1\n\"{second}\" 'x'"),
    ]
    return pool.rng.choice(forms)


def _check(pool: Pool) -> str:
    paths = [pool.some(pool.paths, ["/bin/test", "/usr/bin/grep"]) for _ in range(3)]
    forms = [
        quote(f"{paths[0]} -f {paths[1]}"),
        array([quote(paths[0] + " x"), quote(paths[1])]),
        array([array([quote(paths[0]), quote(paths[1])]), array([quote(paths[2])])]),
        quote(f"/bin/test x\n{paths[1]}"),
    ]
    return pool.rng.choice(forms)


def make_package(pool: Pool) -> Item:
    """package: source, responsefile and adminfile as paths."""
    name = pool.fresh("package", ["nginx", "redis", "vim", "git", "curl", "sudo", "openssl"])
    params = [("ensure", "installed")]
    if pool.chance(0.5):
        source = pool.some(pool.paths, ["/tmp/x.deb", "http://example.com/x.deb", "rel.deb"])
        params += [("provider", "dpkg"), ("source", quote(source))]
    for name_of_file in ("responsefile", "adminfile"):
        if pool.chance(0.25):
            params.append((name_of_file, quote(pool.some(pool.paths, ["/tmp/answers"]))))
    return pool.named("package", "name", name, params)


def make_service(pool: Pool) -> Item:
    """service; no automatic rules, but it is refreshed."""
    name = pool.fresh("service", ["nginx", "redis", "cron", "ssh", "app", "worker"])
    return pool.named("service", "name", name, [("ensure", "running")])


def make_mount(pool: Pool) -> Item:
    """mount: over and under others, and with a name that is no plain regular expression."""
    rng = pool.rng
    names = ["/", "/srv", "/srv/data", "/data", "/data/a", "/d.ta", "/opt", "/srv/data/log", "/a+"]
    if pool.paths and pool.chance(0.3):
        names = [rng.choice(pool.paths)]
    name = pool.fresh("mount", names)
    pool.mounts.append("" if name == "/" else name)
    params = [("ensure", "mounted"), ("device", quote("/dev/sd" + rng.choice("abc")))]
    if pool.chance(0.15):
        params.append(("dump", "0"))
    return pool.named("mount", "name", name, params)


def make_cron(pool: Pool) -> Item:
    """cron; without a user it belongs to the one who runs Puppet, root in the recordings."""
    title = pool.fresh("cron", [f"job-{word}" for word in WORDS])
    params = [("command", quote("/bin/true")), ("minute", str(pool.rng.randint(0, 59)))]
    if pool.chance(0.7):
        params.append(("user", quote(pool.some(pool.users, ["root", "nobody"]))))
    return Item("cron", title, params)


def make_key(pool: Pool) -> Item:
    """ssh_authorized_key of a user."""
    title = pool.fresh("ssh_authorized_key", [f"key-{word}" for word in WORDS])
    user = quote(pool.some(pool.users, ["root", "nobody"]))
    params = [("user", user), ("type", "'ssh-rsa'"), ("key", "'AAAA'")]
    return Item("ssh_authorized_key", title, params)


def make_notify(pool: Pool) -> Item:
    """notify; no automatic rules."""
    return Item("notify", pool.fresh("notify", [*WORDS, "two words", "x[1]", "Mixed Case"]))


def make_host(pool: Pool) -> Item:
    """host; no automatic rules."""
    name = pool.fresh("host", ["one.example.com", "two.example.com", "three.example.com"])
    return Item("host", name, [("ip", "'192.0.2.1'")])


MAKERS: dict[str, Callable[[Pool], Item]] = {
    "group": make_group,
    "user": make_user,
    "mount": make_mount,
    "file": make_file,
    "package": make_package,
    "exec": make_exec,
    "service": make_service,
    "cron": make_cron,
    "ssh_authorized_key": make_key,
    "host": make_host,
    "notify": make_notify,
}
