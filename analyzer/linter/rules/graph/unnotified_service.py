"""A service is not notified of changes of its configuration file.

Why: the service keeps its old configuration until the next restart or boot. Only then will you
learn whether the new configuration works.

Evidence: related names, and a file whose content comes from Puppet, or a folder that Puppet purges.
A change of owner or mode alone does not require a restart. Nothing is reported if the graph puts
the service first.

Bad:

```puppet
file { '/etc/ntp.conf': content => 'server pool.ntp.org' }
service { 'ntp':  # <--
  ensure  => running,
  require => File['/etc/ntp.conf'],
}
```

```puppet
package { 'ntp': }
file { '/etc/ntp.conf': content => 'server pool.ntp.org', require => Package['ntp'] }
service { 'ntp': ensure => running, require => Package['ntp'] }  # <--
```

```puppet
file { '/etc/ssh/sshd_config': content => 'PermitRootLogin no' }
service { 'sshd': ensure => running }  # <--
```

```puppet
file { '/etc/nginx/conf.d': ensure => directory, recurse => true, purge => true }
-> service { 'nginx': ensure => running }  # <--
```

Good:

```puppet
file { '/etc/ntp.conf': content => 'server pool.ntp.org' }
service { 'ntp':
  ensure    => running,
  subscribe => File['/etc/ntp.conf'],
}
```

Silent:

```puppet
file { '/etc/elasticsearch/policy.json': content => '{}' }
service { 'elasticsearch': ensure => running }
exec { '/usr/bin/curl -d @/etc/elasticsearch/policy.json http://localhost:9200/': }
```

```puppet
file { '/etc/nginx/conf.d': ensure => directory }
-> service { 'nginx': ensure => running }
```

```puppet
file { '/etc/ntp.conf': mode => '0600' }
-> service { 'ntp': ensure => running }
```

```puppet
service { 'ntp': ensure => running }
-> file { '/etc/ntp.conf': content => 'server pool.ntp.org' }
```

```puppet
file { '/etc/ssh/ssh_config': content => 'HashKnownHosts yes' }
service { ['sshd', 'ssh']: ensure => running }
```

```puppet
file { '/etc/nginx/sites-available/nagios': content => 'server { }' }
service { 'nagios': ensure => running }
```

```puppet
file { '/etc/tmpfiles.d/redis.conf': content => 'd /run/redis' }
-> service { 'redis': ensure => running }
```

```puppet
file { '/etc/NetworkManager/dispatcher.d/10-vpn': content => 'x' }
file { ['/etc/nagios3/htpasswd.users', '/etc/nagios3/cgi.cfg']: content => 'x' }
file { ['/etc/nginx/expire.sh', '/etc/nginx/nginx.aug', '/etc/nginx/x.php']: content => 'x' }
file { '/etc/nginx/check': content => 'x', mode => '0755' }
file { '/etc/crontab': content => 'x' }
service { ['NetworkManager', 'cron', 'nagios3', 'nginx']: ensure => running }
```

```puppet
file { '/etc/logrotate.d/redis': content => 'x' }
-> service { 'redis': ensure => running }
```

```puppet
file { '/etc/nginx/nginx.conf': content => 'x' }
~> exec { '/usr/sbin/service nginx reload': refreshonly => true }
file { '/etc/nginx/nginx.conf.d': ensure => directory }
service { 'nginx': ensure => running, require => File['/etc/nginx/nginx.conf'] }
```

```puppet
file { '/etc/bind/Makefile': content => 'zones: ; ./make-zones' }
-> exec { '/usr/bin/make -C /etc/bind': refreshonly => true }
~> service { 'bind': ensure => running }
```

```puppet
file { '/etc/ntp.conf':
  content => 'server pool.ntp.org',
  # notify => Service['ntp'],
}
-> service { 'ntp': ensure => running }
```

```puppet
file { '/etc/prometheus/alertmanager.yml': content => 'x', notify => Service['alertmanager'] }
file { '/etc/prometheus/blackbox.yml': content => 'x', notify => Service['blackbox-exporter'] }
service { ['alertmanager', 'blackbox-exporter', 'prometheus']: ensure => running }
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from analyzer.diagnostics import Step
from analyzer.linter.puppet.edits import add_reference
from analyzer.linter.puppet.places import body_of, manifest_at
from analyzer.linter.puppet.related_resources import (
    READ_EACH_TIME,
    RelatedResources,
    config_files,
    has_content,
    module,
    name_of,
    path_of,
)
from analyzer.linter.puppet.shared_targets import texts
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.refs import ResourceRef
from analyzer.model.resource import Resource

# Units that only start another unit, which then reads its configuration.
STARTING = re.compile(r"\.(?:path|socket|timer)\Z")

# A command that makes a service read its configuration.
RELOADS = re.compile(
    r"(?:\b(?:systemctl|service|invoke-rc\.d|rc-service|rndc|nginx)|/init\.d/\S+)\s.*\b(?:reload|restart)\b"
    r"|\bapache2?ctl\s.*\b(?:graceful|restart)\b"
)

# The mode of a script, which is started each time.
EXECUTABLE = re.compile(r"[1357]\d\d\Z|\+\w*x")

# A notification that the author took out.
TAKEN_OUT = re.compile(r"^[ \t]*#[ \t]*(?:notify|subscribe)[ \t]*=>", re.MULTILINE)
# The end of a line, and the comments after it.
REST = re.compile(r"[^\n]*(?:\n[ \t]*(?:#[^\n]*)?(?=\n))*")


@rule("CG311", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each service and the files below /etc that it may read."""
    running = [
        s
        for s in compiled.by_type.get("Service", ())
        if s.parameters.get("ensure") in ("running", True) and not STARTING.search(name_of(s))
    ]
    if not running:
        return
    services, reloaded = RelatedResources(compiled, running), reloaders(compiled)
    # A file that notifies a service is of that one.
    served = {str(one.source) for one in compiled.explicit if one.event and is_service(one.target)}
    commands = " ".join(
        text
        for one in compiled.by_type.get("Exec", ())
        for text in texts(one.parameters.get("command", one.title))
    )
    purged = ((one, path_of(one)) for one in compiled.by_type.get("File", ()) if is_purged(one))
    for file, path in chain(config_files(compiled), purged):
        target = file.parameters.get("target")
        if not (has_content(file) or is_purged(file)) or READ_EACH_TIME.search(path):
            continue
        if not is_purged(file) and EXECUTABLE.search(str(file.parameters.get("mode", ""))):
            continue
        if {str(file), f"File[{target}]"} & (reloaded | served):
            continue
        for service in services.of_path(path, module(compiled, file)):
            # Without an order, a file that a command names is the input of the command.
            if path in commands and not compiled.is_before(file, service):
                continue
            intended = of_another(compiled, file) or is_intended(compiled, file, service)
            if is_stale(compiled, file, service) and not intended:
                place = "comes after" if compiled.is_before(file, service) else "reads"
                yield Problem(
                    f"{service} {place} {file}, but is not notified of its changes",
                    service.span,
                    (str(service), str(file)),
                    (Step(f"{file} is declared here", file.span, (str(file),)),),
                    proposals=add_reference(compiled, file, "notify", service),
                )


def is_service(ref: ResourceRef) -> bool:
    """Return whether a reference is that of a service."""
    return str(ref).startswith("Service[")


def is_purged(file: Resource) -> bool:
    """Return whether Puppet removes files that it does not manage from a folder below /etc."""
    given = file.parameters
    purges = all(given.get(name) in (True, "true") for name in ("purge", "recurse"))
    return purges and given.get("ensure") == "directory" and path_of(file).startswith("/etc/")


def is_stale(compiled: Compiled, file: Resource, service: Resource) -> bool:
    """Return whether a service keeps its old configuration when a file changes."""
    if compiled.is_before(service, file) or compiled.is_notified(file, service):
        return False
    start, end = compiled.number(file), compiled.number(service)
    if start is None or end is None:
        return False
    # If a command that notifies the service comes after the file, the command reads the file.
    commands = [
        one for one in compiled.by_type.get("Exec", ()) if compiled.is_notified(one, service)
    ]
    readers = {*compiled.graph.successors[start]} & {*map(compiled.number, commands)}
    if not readers:
        return True
    pending, found = [start], {start, *readers}
    while pending:
        new = set(compiled.graph.successors[pending.pop()]) - found
        found |= new
        pending += new
    return end in found


def of_another(compiled: Compiled, file: Resource) -> bool:
    """Return whether a file notifies the service that it is named after."""
    name = path_of(file).rpartition("/")[2]
    services = (one for one in compiled.by_type.get("Service", ()) if name_of(one) in name)
    return any(compiled.is_notified(file, one) for one in services)


def is_intended(compiled: Compiled, file: Resource, service: Resource) -> bool:
    """Return whether a comment where a file or a service is declared takes a notification out."""
    return any(TAKEN_OUT.search(text_of(compiled, one)) for one in (file, service))


def text_of(compiled: Compiled, resource: Resource) -> str:
    """Return the text that declares a resource, with the comments after its last attribute."""
    manifest = manifest_at(compiled, resource.span)
    body = body_of(manifest, resource) if manifest else None
    if not manifest or not body or not body.operations:
        return ""
    rest = REST.match(manifest.text, body.operations[-1].offset)
    return manifest.text[body.title.offset : rest.end() if rest else None]


def reloaders(compiled: Compiled) -> set[str]:
    """Return the resources that notify a command that makes a service read its files."""
    commands = {
        str(one)
        for one in compiled.by_type.get("Exec", ())
        if any(map(RELOADS.search, texts(one.parameters.get("command", one.title))))
    }
    return {
        str(one.source)
        for one in (compiled.explicit if commands else ())
        if one.event and str(one.target) in commands
    }
