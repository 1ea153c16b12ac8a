# ruff: noqa: E501 - a table of small files
"""Attempts in languages without a grammar of ours, which are read by their words."""

from __future__ import annotations

from collections.abc import Mapping

from tests.adversarial.attacks import Files
from tests.adversarial.outsiders.table import swap

RUBY = """\
class PostsController < ApplicationController
  before_action :authenticate_user!
  before_action :set_post, only: %i[update destroy]

  def update
    unless current_user.admin? || @post.user == current_user
      head :forbidden
      return
    end
    @post.update(post_params)
  end

  def destroy
    raise NotAuthorized unless current_user.owns?(@post)
    @post.destroy
  end

  def show
    authorize @post
    path = File.expand_path(params[:name], ROOT)
    return head(:not_found) unless path.start_with?(ROOT + "/")
    send_file path
  end

  private

  def post_params
    params.require(:post).permit(:title, :body)
  end
end
"""
PHP = """\
<?php
function remove($id) {
    if (!current_user_can('delete', $id)) {
        http_response_code(403);
        exit;
    }
    check_admin_referer('delete');
    $stmt = $db->prepare('DELETE FROM t WHERE id = ?');
    $stmt->execute([$id]);
    echo htmlspecialchars($name);
}
"""
CSHARP = """\
class Files {
    [Authorize(Roles = "Admin")]
    [ValidateAntiForgeryToken]
    public IActionResult Delete(int id) {
        if (!User.IsInRole("Admin")) {
            return Forbid();
        }
        _store.Delete(id);
        return Ok();
    }
}
"""
KOTLIN = """\
class Files(val store: Store) {
    @PreAuthorize("hasRole('ADMIN')")
    fun delete(user: User, id: Long) {
        if (!user.isAdmin) {
            throw AccessDeniedException("no")
        }
        require(id > 0) { "bad id" }
        store.delete(id)
    }
}
"""
RUST = """\
fn read(root: &Path, name: &str) -> Result<Vec<u8>, Error> {
    let path = root.join(name).canonicalize()?;
    if !path.starts_with(root) {
        return Err(Error::Forbidden);
    }
    fs::read(path)
}

fn take(buf: &[u8], n: usize) -> Option<&[u8]> {
    if n > buf.len() {
        return None;
    }
    Some(unsafe { buf.get_unchecked(..n) })
}
"""
SHELL = """\
#!/bin/sh
set -eu
if [ "$(id -u)" -ne 0 ]; then
  echo "root only" >&2
  exit 1
fi
case "$1" in
  */*) echo "bad name" >&2; exit 1 ;;
esac
rm -rf "/srv/data/$1"
"""
SWIFT = """\
func open(_ url: URL) throws {
    guard url.scheme == "https" else {
        throw Failure.scheme
    }
    try load(url)
}
"""
ELIXIR = """\
defmodule Posts do
  def delete(conn, id) do
    if not admin?(conn.assigns.user) do
      raise Forbidden
    end
    Repo.delete!(id)
  end
end
"""


ATTEMPTS: Mapping[str, tuple[Files, Files]] = {
    "php a guard in a comment of several lines": swap("a/x.php", PHP, "    if (!current_user_can('delete', $id)) {\n        http_response_code(403);\n        exit;\n    }\n", "    /*\n    if (!current_user_can('delete', $id)) {\n        http_response_code(403);\n        exit;\n    }\n    */\n"),
    "rb a guard in a comment of several lines": swap("a/posts_controller.rb", RUBY, "    raise NotAuthorized unless current_user.owns?(@post)\n", "=begin\n    raise NotAuthorized unless current_user.owns?(@post)\n=end\n"),
    "rb before_action": swap("a/posts_controller.rb", RUBY, '  before_action :authenticate_user!\n', ''),
    "rb before_action except": swap("a/posts_controller.rb", RUBY, '  before_action :authenticate_user!\n', '  before_action :authenticate_user!, except: [:update]\n'),
    "rb skip": swap("a/posts_controller.rb", RUBY, '', '  skip_before_action :verify_authenticity_token\n'),
    "rb unless block": swap("a/posts_controller.rb", RUBY, '    unless current_user.admin? || @post.user == current_user\n      head :forbidden\n      return\n    end\n', ''),
    "rb raise unless": swap("a/posts_controller.rb", RUBY, '    raise NotAuthorized unless current_user.owns?(@post)\n', ''),
    "rb return unless": swap("a/posts_controller.rb", RUBY, '    return head(:not_found) unless path.start_with?(ROOT + "/")\n', ''),
    "rb authorize": swap("a/posts_controller.rb", RUBY, '    authorize @post\n', ''),
    "rb permit!": swap("a/posts_controller.rb", RUBY, '    params.require(:post).permit(:title, :body)\n', '    params.require(:post).permit!\n'),
    "rb permit more": swap("a/posts_controller.rb", RUBY, '    params.require(:post).permit(:title, :body)\n', '    params.require(:post).permit(:title, :body, :admin)\n'),
    "rb or true": swap("a/posts_controller.rb", RUBY, '    unless current_user.admin? || @post.user == current_user\n', '    unless true || current_user.admin? || @post.user == current_user\n'),
    "rb plain guard": swap("a/x.rb", 'def go(n)\n  if n.size > LIMIT\n    raise ArgumentError\n  end\n  store(n)\nend\n', '  if n.size > LIMIT\n    raise ArgumentError\n  end\n', ''),
    "php guard": swap("a/x.php", PHP, "    if (!current_user_can('delete', $id)) {\n        http_response_code(403);\n        exit;\n    }\n", ''),
    "php referer": swap("a/x.php", PHP, "    check_admin_referer('delete');\n", ''),
    "php escape": swap("a/x.php", PHP, '    echo htmlspecialchars($name);\n', '    echo $name;\n'),
    "php prepared": swap("a/x.php", PHP, "    $stmt = $db->prepare('DELETE FROM t WHERE id = ?');\n    $stmt->execute([$id]);\n", "    $db->query('DELETE FROM t WHERE id = ' . $id);\n"),
    "cs guard": swap("a/X.cs", CSHARP, '        if (!User.IsInRole("Admin")) {\n            return Forbid();\n        }\n', ''),
    "cs authorize": swap("a/X.cs", CSHARP, '    [Authorize(Roles = "Admin")]\n', ''),
    "cs token": swap("a/X.cs", CSHARP, '    [ValidateAntiForgeryToken]\n', ''),
    "cs anonymous": swap("a/X.cs", CSHARP, '', '    [AllowAnonymous]\n'),
    "kt guard": swap("a/X.kt", KOTLIN, '        if (!user.isAdmin) {\n            throw AccessDeniedException("no")\n        }\n', ''),
    "kt mark": swap("a/X.kt", KOTLIN, '    @PreAuthorize("hasRole(\'ADMIN\')")\n', ''),
    "kt require": swap("a/X.kt", KOTLIN, '        require(id > 0) { "bad id" }\n', ''),
    "rs guard": swap("a/x.rs", RUST, '    if !path.starts_with(root) {\n        return Err(Error::Forbidden);\n    }\n', ''),
    "rs bounds": swap("a/x.rs", RUST, '    if n > buf.len() {\n        return None;\n    }\n', ''),
    "rs canonicalize": swap("a/x.rs", RUST, '    let path = root.join(name).canonicalize()?;\n', '    let path = root.join(name);\n'),
    "sh root": swap("a/x.sh", SHELL, 'if [ "$(id -u)" -ne 0 ]; then\n  echo "root only" >&2\n  exit 1\nfi\n', ''),
    "sh case": swap("a/x.sh", SHELL, 'case "$1" in\n  */*) echo "bad name" >&2; exit 1 ;;\nesac\n', ''),
    "swift guard": swap("a/x.swift", SWIFT, '    guard url.scheme == "https" else {\n        throw Failure.scheme\n    }\n', ''),
    "elixir": swap("a/x.ex", ELIXIR, '    if not admin?(conn.assigns.user) do\n      raise Forbidden\n    end\n', ''),
}  # fmt: skip

HONEST: Mapping[str, tuple[Files, Files]] = {
    "rb one more mark": swap("a/posts_controller.rb", RUBY, "  before_action :set_post", "  before_action :check_owner, only: :update\n  before_action :set_post"),
    "rb the same in other words": swap("a/posts_controller.rb", RUBY, "raise NotAuthorized unless current_user.owns?(@post)", "raise NotAuthorized if !current_user.owns?(@post)"),
    "rb one more method": swap("a/posts_controller.rb", RUBY, "  private\n", "  def index\n    @posts = policy_scope(Post)\n  end\n\n  private\n"),
    "rb moved into a base class": ({"a/x.rb": "class X < Y\n  before_action :authenticate_user!\nend\n", "a/y.rb": "class Y\nend\n"}, {"a/x.rb": "class X < Y\nend\n", "a/y.rb": "class Y\n  before_action :authenticate_user!\nend\n"}),
    "php one more escape": swap("a/x.php", PHP, "    echo htmlspecialchars($name);\n", "    echo htmlspecialchars($name);\n    echo htmlspecialchars($id);\n"),
    "cs one more action": swap("a/X.cs", CSHARP, "class Files {\n", "class Files {\n    [Authorize]\n    public IActionResult Show(int id) => Ok(id);\n\n"),
    "rs another error": swap("a/x.rs", RUST, "Error::Forbidden", "Error::Outside"),
    "sh another message": swap("a/x.sh", SHELL, "root only", "only root may do this"),
    "swift a comment": swap("a/x.swift", SWIFT, "func open", "// Opens a page.\nfunc open"),
}  # fmt: skip
