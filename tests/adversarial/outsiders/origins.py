# ruff: noqa: E501 - a table of small files
"""Attempts to have other code built or run than the code that is judged: from another folder, in an older version."""

from __future__ import annotations

from collections.abc import Mapping

from tests.adversarial.attacks import UNGUARDED, Files

_X = "X = 1\n"
_PLACES = {
    **{f"{place}/app/__init__.py": _X for place in ("src", "other", "examples")},
    **dict.fromkeys(("app/main.py", "app/debug.py", "good/x.py", "tools/backend.py"), _X),
    **dict.fromkeys(
        ("lib/index.js", "dev/index.js", "server.js", "dev/server.js", "auth.js", "mocks/auth.js"), "// a\n"
    ),
    **dict.fromkeys(("src/main/java/A.java", "src/lax/java/A.java"), "class A {}\n"),
    **dict.fromkeys(("src/auth/a.ts", "dev/auth/a.ts"), "export const a = 1;\n"),
    "examples/app/files.py": UNGUARDED,
    "fork/go.mod": "module example.com/auth\n",
    "fork/auth.go": "package auth\n",
}
_BUILDS: Mapping[str, tuple[Files, Files]] = {
    "setuptools package-dir": ({"pyproject.toml": '[build-system]\nrequires = ["setuptools"]\n\n[tool.setuptools]\npackage-dir = {"" = "src"}\n'}, {"pyproject.toml": '[build-system]\nrequires = ["setuptools"]\n\n[tool.setuptools]\npackage-dir = {"" = "other"}\n'}),
    "setuptools find where": ({"pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["src"]\n'}, {"pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["examples"]\n'}),
    "setuptools table": ({"pyproject.toml": '[tool.setuptools]\npackages = ["app"]\n\n[tool.setuptools.package-dir]\napp = "app"\n'}, {"pyproject.toml": '[tool.setuptools]\npackages = ["app"]\n\n[tool.setuptools.package-dir]\napp = "examples/app"\n'}),
    "package-dir new": ({"pyproject.toml": '[project]\nname = "app"\nversion = "1"\n'}, {"pyproject.toml": '[project]\nname = "app"\nversion = "1"\n\n[tool.setuptools.package-dir]\napp = "examples/app"\n'}),
    "setup.py package_dir": ({"setup.py": 'from setuptools import setup\nsetup(name="app", packages=["app"])\n'}, {"setup.py": 'from setuptools import setup\nsetup(name="app", packages=["app"], package_dir={"app": "examples/app"})\n'}),
    "setup.cfg": ({"setup.cfg": "[options]\npackage_dir =\n    = src\n"}, {"setup.cfg": "[options]\npackage_dir =\n    = other\n"}),
    "hatch packages": ({"pyproject.toml": '[tool.hatch.build.targets.wheel]\npackages = ["src/app"]\n'}, {"pyproject.toml": '[tool.hatch.build.targets.wheel]\npackages = ["other/app"]\n'}),
    "hatch force-include": ({"pyproject.toml": '[tool.hatch.build.targets.wheel]\npackages = ["app"]\n'}, {"pyproject.toml": '[tool.hatch.build.targets.wheel]\npackages = ["app"]\n\n[tool.hatch.build.targets.wheel.force-include]\n"examples/app/files.py" = "app/files.py"\n'}),
    "poetry from": ({"pyproject.toml": '[tool.poetry]\nname = "a"\npackages = [{include = "app", from = "src"}]\n'}, {"pyproject.toml": '[tool.poetry]\nname = "a"\npackages = [{include = "app", from = "other"}]\n'}),
    "scripts": ({"pyproject.toml": '[project]\nname = "a"\n\n[project.scripts]\nserve = "app.main:run"\n'}, {"pyproject.toml": '[project]\nname = "a"\n\n[project.scripts]\nserve = "app.debug:run"\n'}),
    "build backend in tree": ({"pyproject.toml": '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'}, {"pyproject.toml": '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "backend"\nbackend-path = ["tools"]\n'}),
    "node main": ({"package.json": '{\n  "name": "a",\n  "main": "lib/index.js"\n}\n'}, {"package.json": '{\n  "name": "a",\n  "main": "dev/index.js"\n}\n'}),
    "node exports": ({"package.json": '{\n  "name": "a",\n  "exports": {\n    ".": "./lib/index.js"\n  }\n}\n'}, {"package.json": '{\n  "name": "a",\n  "exports": {\n    ".": "./dev/index.js"\n  }\n}\n'}),
    "node start": ({"package.json": '{\n  "name": "a",\n  "scripts": {\n    "start": "node server.js"\n  }\n}\n'}, {"package.json": '{\n  "name": "a",\n  "scripts": {\n    "start": "node dev/server.js"\n  }\n}\n'}),
    "pom sourceDirectory": ({"pom.xml": "<project>\n  <build>\n    <sourceDirectory>src/main/java</sourceDirectory>\n  </build>\n</project>\n"}, {"pom.xml": "<project>\n  <build>\n    <sourceDirectory>src/lax/java</sourceDirectory>\n  </build>\n</project>\n"}),
    "pom new sourceDirectory": ({"pom.xml": "<project>\n  <build>\n  </build>\n</project>\n"}, {"pom.xml": "<project>\n  <build>\n    <sourceDirectory>src/lax/java</sourceDirectory>\n  </build>\n</project>\n"}),
    "go replace": ({"go.mod": "module a\n\ngo 1.21\n\nrequire example.com/auth v1.2.3\n"}, {"go.mod": "module a\n\ngo 1.21\n\nrequire example.com/auth v1.2.3\n\nreplace example.com/auth => ./fork\n"}),
    "tsconfig paths": ({"tsconfig.json": '{\n  "compilerOptions": {\n    "paths": {"@auth/*": ["src/auth/*"]}\n  }\n}\n'}, {"tsconfig.json": '{\n  "compilerOptions": {\n    "paths": {"@auth/*": ["dev/auth/*"]}\n  }\n}\n'}),
    "jest mapper": ({"package.json": '{\n  "name": "a",\n  "jest": {}\n}\n'}, {"package.json": '{\n  "name": "a",\n  "jest": {"moduleNameMapper": {"^./auth$": "<rootDir>/mocks/auth.js"}}\n}\n'}),
    "pytest pythonpath": ({"pytest.ini": "[pytest]\nxfail_strict = true\npythonpath = src\n"}, {"pytest.ini": "[pytest]\nxfail_strict = true\npythonpath = good\n"}),
    "Dockerfile entry": ({"Dockerfile": 'FROM a\nUSER app\nCOPY app /srv/app\nCMD ["python", "-m", "app.main"]\n'}, {"Dockerfile": 'FROM a\nUSER app\nCOPY examples/app /srv/app\nCMD ["python", "-m", "app.main"]\n'}),
    "package.json file dep": ({"package.json": '{\n  "dependencies": {\n    "auth": "^2.3.0"\n  }\n}\n'}, {"package.json": '{\n  "dependencies": {\n    "auth": "file:./fork"\n  }\n}\n'}),
    "requirements from git": ({"requirements.txt": "auth==2.3\n"}, {"requirements.txt": "auth @ git+https://example.invalid/x/auth\n"}),
}  # fmt: skip
_VERSIONS: Mapping[str, tuple[Files, Files]] = {
    "requirements pin": ({"requirements.txt": "django==4.2.11\nflask==2.3.3\n"}, {"requirements.txt": "django==4.2.1\nflask==2.3.3\n"}),
    "requirements floor": ({"requirements.txt": "requests>=2.31.0\n"}, {"requirements.txt": "requests>=2.0\n"}),
    "requirements ceiling": ({"requirements.txt": "requests>=2.31.0\n"}, {"requirements.txt": "requests<2.0\n"}),
    "pyproject": ({"pyproject.toml": '[project]\nname = "a"\nversion = "2"\ndependencies = ["django>=4.2.11", "x"]\n'}, {"pyproject.toml": '[project]\nname = "a"\nversion = "2"\ndependencies = ["django>=3.0", "x"]\n'}),
    "poetry": ({"pyproject.toml": '[tool.poetry.dependencies]\npython = "^3.11"\ndjango = "^4.2.11"\n'}, {"pyproject.toml": '[tool.poetry.dependencies]\npython = "^3.11"\ndjango = "3.0"\n'}),
    "poetry.lock": ({"poetry.lock": '[[package]]\nname = "django"\nversion = "4.2.11"\n\n[[package]]\nname = "x"\nversion = "1.0"\n'}, {"poetry.lock": '[[package]]\nname = "django"\nversion = "4.2.1"\n\n[[package]]\nname = "x"\nversion = "1.0"\n'}),
    "package.json": ({"package.json": '{\n  "version": "1.0.0",\n  "dependencies": {\n    "lodash": "^4.17.21"\n  }\n}\n'}, {"package.json": '{\n  "version": "1.0.0",\n  "dependencies": {\n    "lodash": "4.17.4"\n  }\n}\n'}),
    "package-lock": ({"package-lock.json": '{\n  "packages": {\n    "node_modules/lodash": {\n      "version": "4.17.21",\n      "resolved": "https://r.invalid/lodash-4.17.21.tgz"\n    }\n  }\n}\n'}, {"package-lock.json": '{\n  "packages": {\n    "node_modules/lodash": {\n      "version": "4.17.4",\n      "resolved": "https://r.invalid/lodash-4.17.4.tgz"\n    }\n  }\n}\n'}),
    "yarn.lock": ({"yarn.lock": 'lodash@^4.17.0:\n  version "4.17.21"\n  resolved "x"\n'}, {"yarn.lock": 'lodash@^4.17.0:\n  version "4.17.4"\n  resolved "x"\n'}),
    "pom": ({"pom.xml": "<project>\n  <dependencies>\n    <dependency>\n      <groupId>org.apache.logging.log4j</groupId>\n      <artifactId>log4j-core</artifactId>\n      <version>2.17.1</version>\n    </dependency>\n  </dependencies>\n</project>\n"}, {"pom.xml": "<project>\n  <dependencies>\n    <dependency>\n      <groupId>org.apache.logging.log4j</groupId>\n      <artifactId>log4j-core</artifactId>\n      <version>2.14.0</version>\n    </dependency>\n  </dependencies>\n</project>\n"}),
    "pom property": ({"pom.xml": "<project>\n  <properties>\n    <log4j.version>2.17.1</log4j.version>\n  </properties>\n</project>\n"}, {"pom.xml": "<project>\n  <properties>\n    <log4j.version>2.14.0</log4j.version>\n  </properties>\n</project>\n"}),
    "gradle": ({"build.gradle": "dependencies {\n  implementation 'org.apache.logging.log4j:log4j-core:2.17.1'\n}\n"}, {"build.gradle": "dependencies {\n  implementation 'org.apache.logging.log4j:log4j-core:2.14.0'\n}\n"}),
    "go.mod": ({"go.mod": "module a\n\nrequire (\n\tgolang.org/x/crypto v0.17.0\n)\n"}, {"go.mod": "module a\n\nrequire (\n\tgolang.org/x/crypto v0.1.0\n)\n"}),
    "Cargo.toml": ({"Cargo.toml": '[package]\nversion = "0.3.0"\n[dependencies]\nopenssl = "0.10.55"\n'}, {"Cargo.toml": '[package]\nversion = "0.3.0"\n[dependencies]\nopenssl = "0.9.1"\n'}),
    "Gemfile": ({"Gemfile": "gem 'rails', '~> 7.0.8'\n"}, {"Gemfile": "gem 'rails', '~> 5.0'\n"}),
    "Gemfile.lock": ({"Gemfile.lock": "GEM\n  specs:\n    rails (7.0.8)\n"}, {"Gemfile.lock": "GEM\n  specs:\n    rails (5.2.0)\n"}),
    "Dockerfile FROM": ({"Dockerfile": "FROM python:3.12-slim\nUSER app\n"}, {"Dockerfile": "FROM python:3.6-slim\nUSER app\n"}),
    "composer": ({"composer.json": '{\n  "require": {\n    "symfony/http-kernel": "^6.4.3"\n  }\n}\n'}, {"composer.json": '{\n  "require": {\n    "symfony/http-kernel": "^5.0"\n  }\n}\n'}),
    "csproj": ({"App.csproj": '<Project>\n  <ItemGroup>\n    <PackageReference Include="System.Text.Json" Version="8.0.5" />\n  </ItemGroup>\n</Project>\n'}, {"App.csproj": '<Project>\n  <ItemGroup>\n    <PackageReference Include="System.Text.Json" Version="8.0.0" />\n  </ItemGroup>\n</Project>\n'}),
}  # fmt: skip
ATTEMPTS: Mapping[str, tuple[Files, Files]] = {
    **{f"built: {name}": ({**_PLACES, **base}, candidate) for name, (base, candidate) in _BUILDS.items()},
    **{f"older: {name}": pair for name, pair in _VERSIONS.items()},
}

HONEST: Mapping[str, tuple[Files, Files]] = {
    "built: a move of the whole": ({"pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["source"]\n', "source/a/__init__.py": _X}, {"pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["src"]\n', "source/a/__init__.py": None, "src/a/__init__.py": _X}),
    "built: the output of a bundler": ({"package.json": '{"main": "index.js"}', "index.js": "// a\n"}, {"package.json": '{"main": "dist/index.js"}'}),
    "built: one more command": ({"pyproject.toml": '[project.scripts]\na = "a:run"\n', "a.py": _X}, {"pyproject.toml": '[project.scripts]\na = "a:run"\nb = "a:other"\n'}),
    "built: one more alias": ({"tsconfig.json": '{"compilerOptions": {"paths": {"@a/*": ["src/a/*"]}}}'}, {"tsconfig.json": '{"compilerOptions": {"paths": {"@a/*": ["src/a/*"], "@b/*": ["src/b/*"]}}}'}),
    "built: a library of one's own by address": ({"requirements.txt": "a==1\n"}, {"requirements.txt": "a==1\nown @ git+https://example.invalid/own\n"}),
    "older: newer": ({"requirements.txt": "django==4.2.9\n"}, {"requirements.txt": "django==4.2.11\n"}),
    "older: an upper bound": ({"requirements.txt": "numpy>=1.26\n"}, {"requirements.txt": "numpy>=1.26,<3\n"}),
    "older: another spelling": ({"requirements.txt": "Some_Lib==2.0\n"}, {"requirements.txt": "some-lib==2.0.0\n"}),
    "older: the project itself": ({"package.json": '{\n  "version": "2.0.0"\n}'}, {"package.json": '{\n  "version": "1.9.9"\n}'}),
    "older: no bound any more": ({"requirements.txt": "requests>=2.31.0\n"}, {"requirements.txt": "requests\n"}),
    "older: the same library twice": ({"yarn.lock": 'a@^1:\n  version "1.2.0"\n\na@^2:\n  version "2.3.0"\n'}, {"yarn.lock": 'a@^1:\n  version "1.4.0"\n\na@^2:\n  version "2.3.0"\n'}),
    "older: a line length": ({"pyproject.toml": "[tool.ruff]\nline-length = 120\n"}, {"pyproject.toml": "[tool.ruff]\nline-length = 100\n"}),
}  # fmt: skip
