"""The operating systems of which typical facts are known, a row each."""

from __future__ import annotations

from dataclasses import dataclass

# Before the name of a system whose typical facts are meant: `@debian-12`.
MARK = "@"


@dataclass(frozen=True, slots=True)
class System:
    """An operating system and its release, as facter names them.

    `release` is the full release; `codename` and `title` are those of the distribution.
    """

    family: str
    name: str
    release: str
    kernel: str
    codename: str = ""
    title: str = ""
    python: str = ""
    systemd: str = ""

    @property
    def major(self) -> str:
        """Return the major release as facter has it: Ubuntu's has two parts."""
        parts = self.release.split(".")
        return ".".join(parts[:2]) if self.name == "Ubuntu" else parts[0].split("-")[0]

    @property
    def minor(self) -> str:
        """Return the second part of the release, empty if it has none."""
        parts = self.release.split("-")[0].split(".")
        return parts[1] if len(parts) > 1 and self.name != "Ubuntu" else ""


def debian(release: str, codename: str, kernel: str, python: str, systemd: str) -> System:
    """Return a release of Debian."""
    major = release.split(".", maxsplit=1)[0]
    title = f"Debian GNU/Linux {major} ({codename})"
    return System("Debian", "Debian", release, kernel, codename, title, python, systemd)


def ubuntu(release: str, codename: str, kernel: str, python: str, systemd: str) -> System:
    """Return a release of Ubuntu."""
    title = f"Ubuntu {release} LTS"
    return System("Debian", "Ubuntu", release, kernel, codename, title, python, systemd)


# What the rebuilds of one release of Red Hat Enterprise Linux share: kernel, Python, systemd.
REBUILT = {
    "7": ("3.10.0-1160.el7.x86_64", "2.7.5", "219"),
    "8": ("4.18.0-553.el8_10.x86_64", "3.6.8", "239"),
    "9": ("5.14.0-503.el9_5.x86_64", "3.9.19", "252"),
    "10": ("6.12.0-55.el10_0.x86_64", "3.12.9", "257"),
}


def redhat(name: str, release: str, codename: str, title: str) -> System:
    """Return a release of Red Hat Enterprise Linux, or of a rebuild."""
    kernel, python, systemd = REBUILT[release.partition(".")[0]]
    return System("RedHat", name, release, kernel, codename, title, python, systemd)


def rebuilt(name: str, words: str, codenames: dict[str, str]) -> dict[str, System]:
    """Return releases of a rebuild by the name of their facts, `rocky-9`."""
    found = {}
    for release, codename in codenames.items():
        title = f"{words} release {release} ({codename})"
        key = f"{name.lower()}-{release.split('.')[0]}"
        found[key] = redhat(name, release, codename, title)
    return found


SYSTEMS: dict[str, System] = {
    "debian-11": debian("11.11", "bullseye", "5.10.0-33-amd64", "3.9.2", "247"),
    "debian-12": debian("12.8", "bookworm", "6.1.0-28-amd64", "3.11.2", "252"),
    "debian-13": debian("13.1", "trixie", "6.12.43+deb13-amd64", "3.13.5", "257"),
    "ubuntu-20.04": ubuntu("20.04", "focal", "5.4.0-200-generic", "3.8.10", "245"),
    "ubuntu-22.04": ubuntu("22.04", "jammy", "5.15.0-125-generic", "3.10.12", "249"),
    "ubuntu-24.04": ubuntu("24.04", "noble", "6.8.0-49-generic", "3.12.3", "255"),
    "centos-7": redhat("CentOS", "7.9.2009", "Core", "CentOS Linux release 7.9.2009 (Core)"),
    "centos-9": redhat("CentOS", "9", "", "CentOS Stream release 9"),
    **rebuilt(
        "RedHat",
        "Red Hat Enterprise Linux",
        {"8.10": "Ootpa", "9.5": "Plow", "10.0": "Coughlan"},
    ),
    **rebuilt(
        "Rocky",
        "Rocky Linux",
        {"8.10": "Green Obsidian", "9.5": "Blue Onyx", "10.0": "Red Quartz"},
    ),
    **rebuilt(
        "AlmaLinux",
        "AlmaLinux",
        {"8.10": "Cerulean Leopard", "9.5": "Teal Serval", "10.0": "Purple Lion"},
    ),
    **rebuilt("OracleLinux", "Oracle Linux Server", {"8.10": "n/a", "9.5": "n/a"}),
    "fedora-42": System(
        "RedHat", "Fedora", "42", "6.14.0-63.fc42.x86_64", "Adams",
        "Fedora release 42 (Adams)", "3.13.2", "257",
    ),
    "amazon-2": System(
        "RedHat", "Amazon", "2", "4.14.355-271.569.amzn2.x86_64", "Karoo",
        "Amazon Linux release 2 (Karoo)", "2.7.18", "219",
    ),
    "amazon-2023": System(
        "RedHat", "Amazon", "2023", "6.1.115-126.197.amzn2023.x86_64", "",
        "Amazon Linux release 2023 (Amazon Linux)", "3.9.16", "252",
    ),
    "sles-15": System(
        "Suse", "SLES", "15.6", "6.4.0-150600.21-default", "",
        "SUSE Linux Enterprise Server 15 SP6", "3.6.15", "254",
    ),
    "archlinux": System(
        "Archlinux", "Archlinux", "6.12.1-arch1-1", "6.12.1-arch1-1", "", "Arch Linux",
        "3.12.7", "256",
    ),
    "alpine-3": System("Linux", "Alpine", "3.20.3", "6.6.58-0-virt", "", "", "3.12.7"),
    "gentoo": System("Gentoo", "Gentoo", "2.17", "6.6.58-gentoo", "", "Gentoo", "3.12.7"),
    "freebsd-13": System("FreeBSD", "FreeBSD", "13.4-RELEASE", "13.4-RELEASE", python="3.11.10"),
    "freebsd-14": System("FreeBSD", "FreeBSD", "14.1-RELEASE", "14.1-RELEASE", python="3.11.10"),
    "openbsd-7": System("OpenBSD", "OpenBSD", "7.6", "7.6"),
    "macos-15": System("Darwin", "Darwin", "24.1.0", "24.1.0"),
    "solaris-11": System("Solaris", "Solaris", "11.4", "5.11"),
    "windows-2019": System("windows", "windows", "2019", "10.0.17763", title="Datacenter"),
    "windows-2022": System("windows", "windows", "2022", "10.0.20348", title="Datacenter"),
    "windows-11": System("windows", "windows", "11", "10.0.22631", title="Enterprise"),
}  # fmt: skip
