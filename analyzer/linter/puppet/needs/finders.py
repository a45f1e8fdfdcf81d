"""The finders whose pairs take part in simulated runs."""

from __future__ import annotations

from analyzer.linter.puppet.needs.accounts import account_and_command
from analyzer.linter.puppet.needs.owners import maker_and_owned
from analyzer.linter.puppet.needs.packages import (
    installer_and_package,
    package_and_place,
    package_and_program,
)
from analyzer.linter.puppet.needs.paths import folder_and_output, mount_and_user
from analyzer.linter.puppet.needs.repositories import repository_and_package

NEEDS = (
    package_and_program,
    package_and_place,
    maker_and_owned,
    installer_and_package,
    account_and_command,
    mount_and_user,
    folder_and_output,
    repository_and_package,
)
