"""javalang's parser with its known misreadings mended, so that what it reads it reads rightly.

javalang 0.13.0 forgets operators and selectors inside parentheses (``(!a)``), operators before casts
(``!(boolean) a``), brackets in class literals (``A[].class``), names after type arguments (``A.<T>of()``) and
``default`` beside other labels, and takes ``(a) - b`` for a cast.
"""

from __future__ import annotations

from typing import Any

from javalang import tree
from javalang.parser import JavaSyntaxError, Parser
from javalang.tokenizer import Identifier, Operator, tokenize


class Wrapped(tree.Primary):  # type: ignore[misc]  # javalang has no types
    """An expression in parentheses."""

    attrs = ("inner",)


class Prefixed(tree.Primary):  # type: ignore[misc]  # javalang has no types
    """An expression behind one prefix operator."""

    attrs = ("operator", "operand")


class MendedParser(Parser):  # type: ignore[misc]  # javalang has no types
    """Reads the same language, without the losses."""

    _no_type = False

    def parse_par_expression(self) -> Any:
        """Keep parentheses as a node of their own: the caller writes its operators and selectors onto what it gets."""
        self._no_type = False
        token = self.tokens.look()
        found = Wrapped(inner=super().parse_par_expression())
        found._position = token.position
        return found

    def parse_expression_3(self) -> Any:
        """One prefix operator at a time; a sum behind parentheses is no cast (JLS 15.16)."""
        token = self.tokens.look()
        if token.value in Operator.PREFIX:
            self.tokens.next()
            found = Prefixed(operator=token.value, operand=self.parse_expression_3())
            found._position = token.position
            return found
        self._no_type = self._is_sum()
        return super().parse_expression_3()

    def parse_type(self) -> Any:
        """Refuse a type where a sum begins."""
        if self._no_type:
            self.illegal("Expected expression")
        return super().parse_type()

    def parse_identifier_suffix(self) -> Any:
        """Keep the brackets of ``A[].class`` and the method of ``A.<T>of()``."""
        if self.would_accept(".", "<"):
            return tree.MemberReference()
        found = super().parse_identifier_suffix()
        if isinstance(found, tree.ClassReference) and found.type is not None:
            found.brackets = found.type.dimensions
        return found

    def parse_switch_block_statement_group(self) -> Any:
        """Do not forget the ``default`` in ``case 1: default:``: without labels it is the default."""
        labels = []
        is_default = False
        while self.tokens.look().value in ("case", "default"):
            if self.try_accept("default"):
                is_default = True
            else:
                self.accept("case")
                is_name = self.would_accept(Identifier, ":")
                labels.append(self.parse_identifier() if is_name else self.parse_expression())
            self.accept(":")
        statements = []
        while self.tokens.look().value not in ("case", "default", "}"):
            statements.append(self.parse_block_statement())
        return tree.SwitchStatementCase(case=[] if is_default else labels, statements=statements)

    def _is_sum(self) -> bool:
        """Do ``(name) +`` or ``(name) -`` come next?"""
        look = self.tokens.look
        if look().value != "(" or not isinstance(look(1), Identifier):
            return False
        ahead = 2
        while look(ahead).value == "." and isinstance(look(ahead + 1), Identifier):
            ahead += 2
        return look(ahead).value == ")" and look(ahead + 1).value in ("+", "-")


def parse(source: str) -> Any:
    """The compilation unit of `source`. Raises JavaSyntaxError or LexerError."""
    try:
        return MendedParser(tokenize(source + "\n")).parse()
    except (TypeError, AttributeError, IndexError, StopIteration) as error:
        # javalang looks past the end of some broken texts.
        raise JavaSyntaxError(f"javalang fails on this text ({error})") from error
