"""`scaffold memory stats`: the same as `scaffold memory`."""

from scaffold_cli.cli.commands.memory import memory as stats

__all__ = ["stats"]
