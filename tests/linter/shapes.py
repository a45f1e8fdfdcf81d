"""Inputs of any size and of many shapes: what rules, graphs and compiles must grow with evenly."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# The files of an input by name; `input` is what is given to a command, else the folder.
Files = dict[str, str]

SERVER = """class c{0} {{
  package {{ 'p{0}': ensure => present }}
  file {{ '/etc/p{0}/p{0}.conf':
    content => 'port {0}',
    owner   => 'u{0}',
    require => Package['p{0}'],
  }}
  service {{ 'p{0}': ensure => running, subscribe => File['/etc/p{0}/p{0}.conf'] }}
  exec {{ '/usr/bin/reload-p{0}': refreshonly => true, subscribe => Service['p{0}'] }}
  user {{ 'u{0}': ensure => present }}
}}
"""

# The same without a word about order, which is what rules propose to mend.
LOOSE = """class c{0} {{
  package {{ 'p{0}': ensure => present }}
  file {{ '/etc/p{0}/p{0}.conf': content => 'port {0}' }}
  service {{ 'p{0}': ensure => running }}
  exec {{ '/usr/bin/reload --now /etc/p{0}/p{0}.conf': refreshonly => true }}
  user {{ 'u{0}': ensure => present }}
}}
"""


def repeated(text: str, count: int) -> str:
    """A text with its numbers put in, again and again."""
    return "".join(text.format(n) for n in range(count))


def classes(n: int) -> Files:
    """Classes with package, file, service, exec and user each, in one manifest."""
    return {"site.pp": repeated(SERVER + "include c{0}\n", n // 5)}


def loose(n: int) -> Files:
    """The same, where nothing has an order."""
    return {"site.pp": repeated(LOOSE + "include c{0}\n", n // 5)}


def module(n: int) -> Files:
    """The same as a module, with a file for each class, and a site that includes all."""
    names = [f"m::c{i}" for i in range(n // 5)]
    files = {
        f"modules/m/manifests/c{i}.pp": SERVER.format(i).replace("class c", "class m::c")
        for i in range(n // 5)
    }
    site = "".join(f"include {name}\n" for name in names)
    return {**files, "manifests/site.pp": site, "environment.conf": "modulepath = modules\n"}


def flat(n: int) -> Files:
    """No classes at all: everything stands in the site's code."""
    text = LOOSE.replace("class c{0} {{\n", "").replace("}}\n}}\n", "}}\n")
    return {"site.pp": repeated(text, n // 5)}


def chain(n: int) -> Files:
    """One resource after the other, by arrows, a thousand in a statement."""
    arrows = (
        " -> ".join(f"Notify['n{i}']" for i in range(start, min(start + 1_001, n))) + "\n"
        for start in range(0, n, 1_000)
    )
    return {"site.pp": repeated("notify {{ 'n{0}': }}\n", n) + "".join(arrows)}


def turned(n: int) -> Files:
    """As many arrows that point to the left."""
    arrows = "".join(f"Notify['n{i + 1}'] <- Notify['n{i}']\n" for i in range(n - 1))
    return {"site.pp": repeated("notify {{ 'n{0}': }}\n", n) + arrows}


def collectors(n: int) -> Files:
    """All packages before all services, by collectors."""
    text = "package {{ 'p{0}': tag => 'a' }}\nservice {{ 's{0}': }}\n"
    return {"site.pp": repeated(text, n // 2) + "Package <| |> -> Service <| |>\n"}


def small_collectors(n: int) -> Files:
    """A collector that finds one of them, and one that finds none, for each resource."""
    text = (
        "notify {{ 'n{0}': tag => 't{0}' }}\n"
        "Notify <| tag == 't{0}' |> -> Notify <| tag == 'none{0}' |>\n"
    )
    return {"site.pp": repeated(text, n)}


def defines(n: int) -> Files:
    """A define with two resources, again and again."""
    define = """define site(Integer $port) {
  file { "/srv/${title}": ensure => directory }
  file { "/srv/${title}/conf": content => "port ${port}" }
}
"""
    return {"site.pp": define + repeated("site {{ 's{0}': port => {0} }}\n", n // 3)}


def loop(n: int) -> Files:
    """Resources that one statement declares."""
    text = f"""Integer[1, {n}].each |$i| {{
  file {{ "/etc/app/${{i}}.conf": content => "number ${{i}}", require => Package['app'] }}
}}
package {{ 'app': }}
"""
    return {"site.pp": text}


def nested(n: int) -> Files:
    """Classes that contain each other, up to twenty deep."""
    text = ""
    for i in range(n // 2):
        inner = f"  contain c{i + 1}\n" if i % 20 < 19 and i + 1 < n // 2 else ""
        text += f"class c{i} {{\n  notify {{ 'n{i}': }}\n{inner}}}\n"
        text += "" if i % 20 else f"include c{i}\n"
    return {"site.pp": text}


def folders(n: int) -> Files:
    """Many files below a few folders."""
    text = "file {{ '/srv/d{0}': ensure => directory }}\n" * 1
    files = "".join(f"file {{ '/srv/d{i % 10}/f{i}': content => 'x' }}\n" for i in range(n))
    return {"site.pp": repeated(text, 10) + files}


def etc(n: int) -> Files:
    """Configuration files of one package and its service."""
    files = "".join(
        f"file {{ '/etc/app/conf.d/{i}.conf': content => 'x', require => Package['app'],"
        f" before => Service['app'] }}\n"
        for i in range(n)
    )
    return {"site.pp": f"package {{ 'app': }}\n{files}service {{ 'app': ensure => running }}\n"}


def fragments(n: int) -> Files:
    """Fragments of one file, by types as the module concat has them."""
    folder = "modules/concat/lib/puppet/type"
    head = "Puppet::Type.newtype(:{}) do\n  newparam(:name, :namevar => true)\n"
    call = (
        "concat_fragment {{ 'f{0}': target => '/etc/all.conf', content => '{0}', tag => 'all' }}\n"
    )
    return {
        f"{folder}/concat_file.rb": head.format("concat_file") + "end\n",
        f"{folder}/concat_fragment.rb": head.format("concat_fragment")
        + "  newparam(:target)\n  newparam(:content)\nend\n",
        "manifests/site.pp": "concat_file { '/etc/all.conf': tag => 'all' }\n" + repeated(call, n),
        "environment.conf": "modulepath = modules\n",
    }


def virtual(n: int) -> Files:
    """Virtual and exported resources, half of them realized one by one."""
    text = "@user {{ 'v{0}': ensure => present }}\nrealize User['v{0}']\n@@notify {{ 'e{0}': }}\n"
    return {"site.pp": repeated(text, n // 2) + "Notify <<| |>>\nUser <| tag == 'none' |>\n"}


def lists(n: int) -> Files:
    """Half of the resources require lists of twenty of the others."""
    text = repeated("package {{ 'p{0}': }}\n", n // 2)
    for i in range(n // 2):
        wanted = ", ".join(f"'p{(i + k) % (n // 2)}'" for k in range(20))
        text += f"exec {{ '/bin/e{i}': require => Package[{wanted}] }}\n"
    return {"site.pp": text}


def included(n: int) -> Files:
    """Classes that include, and do not contain, a part of themselves; others wait for them."""
    text = (
        "class a{0} {{ include a{0}::b }}\nclass a{0}::b {{ package {{ 'p{0}': }} }}\n"
        "include a{0}\nnotify {{ 'n{0}': require => Class['a{0}'] }}\n"
        "file {{ '/srv/f{0}': notify => Class['a{0}'] }}\n"
    )
    return {"site.pp": repeated(text, n // 5)}


def small_cycles(n: int) -> Files:
    """Cycles of two resources each."""
    text = (
        "notify {{ 'a{0}': require => Notify['b{0}'] }}\n"
        "notify {{ 'b{0}': require => Notify['a{0}'] }}\n"
    )
    return {"site.pp": repeated(text, n // 2)}


def large_cycle(n: int) -> Files:
    """One component: a ring of everything with ways across."""
    text = "".join(
        f"notify {{ 'n{i}': require => Notify['n{(i + 1) % n}', 'n{(i + 7) % n}'] }}\n"
        for i in range(n)
    )
    return {"site.pp": text}


def missing(n: int) -> Files:
    """Relationships that lead to nothing."""
    return {"site.pp": repeated("notify {{ 'n{0}': require => Notify['m{0}'] }}\n", n)}


def accepted(n: int) -> Files:
    """A comment at each resource, and strings that look like comments."""
    text = (
        "notify {{ 'n{0}': message => 'no # catgraph:ignore[CG301]' }} # catgraph:ignore[CG301]\n"
        "Notify['n{0}'] <- Notify['z'] # catgraph:ignore[CG101] as it is read\n"
    )
    return {"site.pp": "notify { 'z': }\n" + repeated(text, n)}


def document(n: int) -> Files:
    """A catalog that was compiled elsewhere; its manifests are not here."""
    resources: list[dict[str, Any]] = []
    edges = []

    def add(kind: str, title: str, line: int, **parameters: Any) -> None:
        place = {"file": "/code/site.pp", "line": line, "kind": "compilable_type"}
        resources.append({"type": kind, "title": title, **place, "parameters": parameters})

    add("Stage", "main", 0)
    for i in range(n // 5):
        resources.append({"type": "Class", "title": f"C{i}", "kind": "class", "parameters": {}})
        add("Package", f"p{i}", 10 * i + 1, ensure="present")
        add("File", f"/etc/p{i}/p{i}.conf", 10 * i + 2, owner=f"u{i}", require=f"Package[p{i}]")
        add("Service", f"p{i}", 10 * i + 3, ensure="running", require=f"File[/etc/p{i}/p{i}.conf]")
        add("User", f"u{i}", 10 * i + 4, ensure="present")
        edges.append({"source": "Stage[main]", "target": f"Class[C{i}]"})
        edges += [
            {"source": f"Class[C{i}]", "target": f"{r['type']}[{r['title']}]"}
            for r in resources[-4:]
        ]
    whole = {"name": "n", "catalog_format": 2, "resources": resources, "edges": edges}
    return {"catalog.json": json.dumps(whole)}


BUNDLE = """bundle agent b{0}
{{
  vars:
    "v" string => "value {0}";
  classes:
    "c{0}" expression => strcmp("$(v)", "value {0}");
  files:
    "/srv/{0}" create => "true", classes => done{0};
  commands:
    c{0}::
      "/bin/echo $(v)" handle => "h{0}";
  reports:
    late{0}::
      "done {0}" depends_on => {{ "h{0}" }};
}}
body classes done{0}
{{
  promise_repaired => {{ "late{0}" }};
}}
"""


def bundles(n: int) -> Files:
    """A policy with a bundle for every five promises."""
    names = ", ".join(f'"b{i}"' for i in range(n // 5))
    control = f"body common control\n{{\n  bundlesequence => {{ {names} }};\n}}\n"
    return {"policy.cf": control + repeated(BUNDLE, n // 5)}


def promises(n: int) -> Files:
    """A policy with one bundle of many promises."""
    text = '    c{0}::\n      "/bin/echo {0}" handle => "h{0}", depends_on => {{ "h0" }};\n'
    known = repeated('    "c{0}" expression => "linux";\n', n // 2)
    body = f"  classes:\n{known}  commands:\n{repeated(text, n // 2)}"
    return {"policy.cf": f"bundle agent main\n{{\n{body}}}\n"}


SHAPES: dict[str, Callable[[int], Files]] = {
    make.__name__: make
    for make in (
        classes,
        loose,
        module,
        flat,
        chain,
        turned,
        collectors,
        small_collectors,
        defines,
        loop,
        nested,
        folders,
        etc,
        fragments,
        virtual,
        lists,
        included,
        small_cycles,
        large_cycle,
        missing,
        accepted,
        document,
        bundles,
        promises,
    )
}


def written(files: Files, folder: Path) -> Path:
    """Write an input, and return what a command is given: its only file, else the folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder / next(iter(files)) if len(files) == 1 else folder


def shapes() -> Iterator[tuple[str, Callable[[int], Files]]]:
    """Every shape with its name."""
    yield from SHAPES.items()
