"""The Python front-end: the standard library's `ast` lowered to the neutral outline."""

from __future__ import annotations

import ast
import io
import textwrap
import tokenize
import warnings
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Any

from scaffold_cli.syntax import building
from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.outline import (
    Block,
    Class,
    Expr,
    ExprKind,
    Function,
    Import,
    Language,
    Outline,
    Param,
    Stmt,
    StmtKind,
)
from scaffold_cli.syntax.python_expressions import Expressions, operator_text

_warnings_lock = Lock()
_REFUSALS = (SyntaxError, ValueError, RecursionError, MemoryError)


def lower(path: str, data: bytes) -> Outline:
    """The outline of Python source. Text of another Python version, or no Python at all, becomes a `problem`."""
    lines = tuple(_text(data).split("\n"))
    lowering = _Lowering()
    try:
        body = lowering.block(_parse(data).body)
    except _REFUSALS as error:
        return Outline(path, Language.PYTHON, _reason(error), lines=len(lines), text=lines)
    return Outline(
        path=path,
        language=Language.PYTHON,
        imports=tuple(lowering.imports),
        functions=tuple(sorted(lowering.functions, key=lambda function: function.line)),
        classes=tuple(sorted(lowering.classes, key=lambda item: item.line)),
        body=body,
        lines=len(lines),
        text=lines,
    )


def problem(_path: str, data: bytes) -> str | None:
    """Why Python source does not parse, in the words of its outline; None when it does."""
    try:
        _parse(data)
    except _REFUSALS as error:
        return _reason(error)
    return None


def _reason(error: BaseException) -> str:
    match error:
        case SyntaxError():
            return f"line {error.lineno or 1}: {error.msg}"
        case ValueError():
            return str(error)
    return "nested too deeply"


def _parse(data: bytes) -> ast.Module:
    """Parse; a fragment that is indented as a whole (a method cut out of its class) is moved to the left."""
    with _warnings_lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes in judged code are not ours to report
        try:
            return ast.parse(data)
        except IndentationError:
            if not data.lstrip(b"\r\n")[:1].isspace():
                raise
            return ast.parse(textwrap.dedent(_text(data)))


def _text(data: bytes) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return decode(data)
    return text.replace("\r\n", "\n").replace("\r", "\n")


class _Lowering:
    """Lowers statements, collecting functions, classes and imports on the way."""

    def __init__(self) -> None:
        self.functions: list[Function] = []
        self.classes: list[Class] = []
        self.imports: list[Import] = []
        self._expressions = Expressions()
        self._scope: list[tuple[str, bool]] = []  # (name, is a class)
        self._table: dict[type[ast.stmt], Callable[[Any], Stmt]] = {
            ast.FunctionDef: self._function,
            ast.AsyncFunctionDef: self._function,
            ast.ClassDef: self._class,
            ast.If: self._if,
            ast.For: self._for,
            ast.AsyncFor: self._for,
            ast.While: lambda node: self._make(
                StmtKind.LOOP, node, "while", (node.test,), (self.block(node.body), self.block(node.orelse))
            ),
            ast.Try: self._try,
            ast.TryStar: self._try,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.Match: self._match,
            ast.Raise: lambda node: self._make(StmtKind.RAISE, node, "", [node.exc] if node.exc else ()),
            ast.Return: lambda node: self._make(StmtKind.RETURN, node, "", [node.value] if node.value else ()),
            ast.Assign: lambda node: self._make(StmtKind.ASSIGN, node, "=", (node.value, *node.targets)),
            ast.AnnAssign: self._annotated,
            ast.AugAssign: lambda node: self._make(
                StmtKind.ASSIGN, node, f"{operator_text(node.op)}=", (node.value, node.target)
            ),
            ast.Expr: self._expression,
            ast.Assert: lambda node: self._make(
                StmtKind.ASSERT, node, "", (node.test, node.msg) if node.msg else (node.test,)
            ),
            ast.Delete: lambda node: self._make(StmtKind.DELETE, node, "", node.targets),
            ast.Import: self._import,
            ast.ImportFrom: self._import_from,
            ast.Break: lambda node: self._make(StmtKind.BREAK, node),
            ast.Continue: lambda node: self._make(StmtKind.CONTINUE, node),
            ast.Pass: lambda node: self._make(StmtKind.EMPTY, node),
        }

    def block(self, nodes: Iterable[ast.stmt]) -> Block:
        """A block of statements."""
        return tuple([self._statement(node) for node in nodes])

    def _statement(self, node: ast.stmt) -> Stmt:
        handler = self._table.get(type(node))
        if handler is None:
            return self._make(StmtKind.OTHER, node, type(node).__name__)
        return handler(node)

    def _make(
        self,
        kind: StmtKind,
        node: ast.stmt | ast.excepthandler,
        text: str = "",
        exprs: Iterable[ast.expr] = (),
        blocks: tuple[Block, ...] = (),
    ) -> Stmt:
        return Stmt(kind, text, self._expressions.all(exprs), blocks, node.lineno, node.end_lineno or node.lineno)

    def _expression(self, node: ast.Expr) -> Stmt:
        if isinstance(node.value, ast.Constant):  # a docstring or a bare `...`
            return self._make(StmtKind.EMPTY, node)
        return building.effect(self._make(StmtKind.EXPR, node, "", (node.value,)))

    def _annotated(self, node: ast.AnnAssign) -> Stmt:
        value = node.value or ast.copy_location(ast.Constant(None), node)
        return self._make(StmtKind.ASSIGN, node, "=", (value, node.target))

    def _if(self, node: ast.If) -> Stmt:
        tests, blocks = [node.test], [self.block(node.body)]
        rest = node.orelse
        while len(rest) == 1 and isinstance(rest[0], ast.If):
            tests.append(rest[0].test)
            blocks.append(self.block(rest[0].body))
            rest = rest[0].orelse
        return self._make(StmtKind.IF, node, "", tests, (*blocks, self.block(rest)))

    def _for(self, node: ast.For | ast.AsyncFor) -> Stmt:
        blocks = (self.block(node.body), self.block(node.orelse))
        return self._make(StmtKind.LOOP, node, "for", (node.target, node.iter), blocks)

    def _try(self, node: ast.Try | ast.TryStar) -> Stmt:
        handlers = tuple([self._handler(handler) for handler in node.handlers])
        blocks = (self.block(node.body), handlers, self.block(node.orelse), self.block(node.finalbody))
        return self._make(StmtKind.TRY, node, "", (), blocks)

    def _handler(self, node: ast.ExceptHandler) -> Stmt:
        types: Sequence[ast.expr] = ()
        if node.type is not None:
            types = node.type.elts if isinstance(node.type, ast.Tuple) else (node.type,)
        return self._make(StmtKind.HANDLER, node, node.name or "", types, (self.block(node.body),))

    def _with(self, node: ast.With | ast.AsyncWith) -> Stmt:
        items = []
        for item in node.items:
            context = self._expressions.lower(item.context_expr)
            if item.optional_vars is not None:
                target = self._expressions.lower(item.optional_vars)
                context = Expr(ExprKind.ASSIGN, "=", (target, context), context.line)
            items.append(context)
        text = "async" if isinstance(node, ast.AsyncWith) else ""
        return self._make(StmtKind.WITH, node, text, (), (self.block(node.body),))._replace(exprs=tuple(items))

    def _match(self, node: ast.Match) -> Stmt:
        cases = []
        for case in node.cases:
            label = Expr(ExprKind.OTHER, ast.unparse(case.pattern), (), case.pattern.lineno)
            wild = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
            labels: tuple[Expr, ...] = () if wild and case.guard is None else (label,)
            if case.guard is not None:
                labels += (self._expressions.lower(case.guard),)
            body = self.block(case.body)
            end = body[-1].end_line
            text = "guard" if case.guard is not None else ""
            cases.append(Stmt(StmtKind.CASE, text, labels, (body,), case.pattern.lineno, end))
        return self._make(StmtKind.SWITCH, node, "", (node.subject,), (tuple(cases),))

    def _import(self, node: ast.Import) -> Stmt:
        for alias in node.names:
            local = alias.asname or alias.name.partition(".")[0]
            module = alias.name if alias.asname else local
            self.imports.append(Import(local, module, "", 0, node.lineno))
        return self._make(StmtKind.EMPTY, node)

    def _import_from(self, node: ast.ImportFrom) -> Stmt:
        for alias in node.names:
            local = alias.asname or alias.name
            self.imports.append(Import(local, node.module or "", alias.name, node.level, node.lineno))
        return self._make(StmtKind.EMPTY, node)

    def _dotted(self, name: str) -> str:
        return ".".join([*(part for part, _ in self._scope), name])

    def _is_public(self, name: str) -> bool:
        inside_function = any(not is_class for _, is_class in self._scope)
        parts = [*(part for part, _ in self._scope), name]
        private = any(part.startswith("_") and not (part.startswith("__") and part.endswith("__")) for part in parts)
        return not inside_function and not private

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Stmt:
        name = self._dotted(node.name)
        owner = ".".join(part for part, _ in self._scope) if self._scope and self._scope[-1][1] else ""
        is_public = self._is_public(node.name)
        self._scope.append((node.name, False))
        body = self.block(node.body)
        self._scope.pop()
        function = Function(
            name=name,
            params=self._params(node.args),
            body=body,
            line=node.lineno,
            end_line=node.end_lineno or node.lineno,
            decorators=self._expressions.all(node.decorator_list),
            modifiers=frozenset({"async"} if isinstance(node, ast.AsyncFunctionDef) else ()),
            owner=owner,
            returns=ast.unparse(node.returns) if node.returns is not None else "",
            is_public=is_public,
        )
        self.functions.append(function)
        return self._make(StmtKind.FUNCTION, node, name)

    def _class(self, node: ast.ClassDef) -> Stmt:
        name = self._dotted(node.name)
        is_public = self._is_public(node.name)
        self._scope.append((node.name, True))
        body = self.block(node.body)
        self._scope.pop()
        bases = list(self._expressions.all(node.bases))
        for keyword in node.keywords:
            value = self._expressions.lower(keyword.value)
            bases.append(Expr(ExprKind.KEYWORD, keyword.arg or "**", (value,), keyword.value.lineno))
        decorators = self._expressions.all(node.decorator_list)
        end = node.end_lineno or node.lineno
        self.classes.append(Class(name, tuple(bases), body, node.lineno, end, decorators, is_public=is_public))
        return self._make(StmtKind.CLASS, node, name)

    def _params(self, arguments: ast.arguments) -> tuple[Param, ...]:
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
        defaults += arguments.defaults
        params = [self._param(arg, default) for arg, default in zip(positional, defaults, strict=True)]
        if arguments.vararg is not None:
            params.append(self._param(arguments.vararg, None, "*"))
        for arg, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            params.append(self._param(arg, default))
        if arguments.kwarg is not None:
            params.append(self._param(arguments.kwarg, None, "**"))
        return tuple(params)

    def _param(self, arg: ast.arg, default: ast.expr | None, stars: str = "") -> Param:
        lowered = self._expressions.lower(default) if default is not None else None
        annotation = ast.unparse(arg.annotation) if arg.annotation is not None else ""
        return Param(stars + arg.arg, lowered, annotation)
