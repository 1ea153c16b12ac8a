"""Outlines in short text, lines left out, to compare and to read."""

from __future__ import annotations

from scaffold_cli.syntax.outline import Block, Class, Expr, Function, Outline


def spell(expr: Expr) -> str:
    """``kind:text(parts)``."""
    head = f"{expr.kind}:{expr.text}" if expr.text else expr.kind
    return f"{head}({', '.join(map(spell, expr.parts))})" if expr.parts else head


def spell_block(block: Block, indent: str = "") -> list[str]:
    """A line for each statement, blocks indented below it and parted by ``--``."""
    lines = []
    for statement in block:
        words = [statement.kind, statement.text, "; ".join(map(spell, statement.exprs))]
        lines.append(indent + " ".join(word for word in words if word))
        for position, inner in enumerate(statement.blocks):
            lines += [f"{indent}--"] if position else []
            lines += spell_block(inner, indent + "  ")
    return lines


def spell_function(function: Function) -> list[str]:
    """Everything about a function but its lines."""
    params = [f"{param.name}: {param.type} {[spell(mark) for mark in param.annotations]}" for param in function.params]
    head = f"{function.name} {params} {function.returns} {sorted(function.modifiers)} {function.owner!r}"
    marks = [spell(mark) for mark in function.decorators]
    return [f"{head} {marks} {function.is_public}", *spell_block(function.body, "  ")]


def spell_class(item: Class) -> list[str]:
    """Everything about a class but its lines."""
    marks = [[spell(expr) for expr in exprs] for exprs in (item.decorators, item.bases)]
    head = f"{item.kind} {item.name} {marks} {sorted(item.modifiers)} {item.is_public}"
    return [head, *spell_block(item.body, "  ")]


def spell_outline(outline: Outline) -> list[str]:
    """Everything about a file but its lines. Definitions are sorted: their order hangs on lines."""
    imports = [f"import {item[:4]}" for item in outline.imports]
    parts = [spell_class(item) for item in outline.classes] + [spell_function(item) for item in outline.functions]
    return [*imports, *(line for part in sorted(parts) for line in part), *spell_block(outline.body)]
