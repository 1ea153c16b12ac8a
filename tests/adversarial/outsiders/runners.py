# ruff: noqa: E501 - a table of small files
"""Attempts on tests of JUnit 4 and 5, TestNG and vitest, on recorded output, and on CI of several makers."""

from __future__ import annotations

from collections.abc import Mapping

from tests.adversarial.attacks import Files
from tests.adversarial.outsiders.table import swap

_J4 = 'import org.junit.Test;\n\npublic class ATest {\n    @Test(expected = SecurityException.class)\n    public void refuses() {\n        files.read("../x");\n    }\n\n    @Test\n    public void adds() {\n        assertEquals(3, sum(1, 2));\n    }\n}\n'
_J5 = 'import org.junit.jupiter.api.Test;\n\nclass ATest {\n    @Test\n    void refuses() {\n        assertThrows(SecurityException.class, () -> files.read("../x"));\n    }\n\n    @ParameterizedTest\n    @ValueSource(strings = {"../x", "/etc"})\n    void all(String name) {\n        assertFalse(ok(name));\n    }\n}\n'
_NG = 'import org.testng.annotations.Test;\n\npublic class ATest {\n    @Test(expectedExceptions = SecurityException.class)\n    public void refuses() {\n        files.read("../x");\n    }\n\n    @Test(dataProvider = "names")\n    public void all(String name) {\n        Assert.assertFalse(ok(name));\n    }\n}\n'
_VT = "import { describe, expect, it } from 'vitest';\n\ndescribe('read', () => {\n  it('refuses', () => {\n    expect(() => read('../x')).toThrow('outside');\n  });\n  it.each(['../x', '/etc'])('refuses %s', (name) => {\n    expect(ok(name)).toBe(false);\n  });\n});\n"
_PJ = "src/test/java/ATest.java"
_TS = "src/read.test.ts"
_SN = "exports[`page 1`] = `<p>&lt;b&gt;</p>`;\n"
_AZ = "steps:\n- script: pytest -q\n  displayName: tests\n"
_CI = "version: 2.1\njobs:\n  test:\n    docker:\n    - image: python\n    steps:\n    - run: pytest -q\n"
_JK = "pipeline {\n  stages {\n    stage('test') {\n      steps {\n        sh 'pytest -q'\n      }\n    }\n  }\n}\n"
_GH = "on: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n    - run: pytest -q\n    - run: scaffold check --base origin/main\n"

ATTEMPTS: Mapping[str, tuple[Files, Files]] = {
    "j4 ignore": swap(_PJ, _J4, "    @Test\n    public void adds","    @Ignore\n    @Test\n    public void adds"),
    "j4 expected any": swap(_PJ, _J4, "SecurityException.class","Throwable.class"),
    "j4 expected gone": swap(_PJ, _J4, "(expected = SecurityException.class)",""),
    "j5 throws any": swap(_PJ, _J5, "assertThrows(SecurityException.class","assertThrows(Exception.class"),
    "j5 enabledIf": swap(_PJ, _J5, "    @Test\n    void refuses","    @EnabledIfEnvironmentVariable(named = \"FULL\", matches = \"1\")\n    @Test\n    void refuses"),
    "j5 values cut": swap(_PJ, _J5, "{\"../x\", \"/etc\"}","{\"../x\"}"),
    "j5 assume": swap(_PJ, _J5, "    void refuses() {\n","    void refuses() {\n        assumeTrue(System.getenv(\"FULL\") != null);\n"),
    "j5 does not throw": swap(_PJ, _J5, "assertThrows(SecurityException.class, ","assertDoesNotThrow("),
    "ng disabled": swap(_PJ, _NG, "@Test(expectedExceptions","@Test(enabled = false, expectedExceptions"),
    "ng exceptions": swap(_PJ, _NG, "expectedExceptions = SecurityException.class","expectedExceptions = Exception.class"),
    "ng skip": swap(_PJ, _NG, "        files.read","        if (true) throw new SkipException(\"x\");\n        files.read"),
    "ng provider gone": swap(_PJ, _NG, "(dataProvider = \"names\")","(groups = \"slow\", dataProvider = \"names\", enabled = false)"),
    "vt skip": swap(_TS, _VT, "it('refuses'","it.skip('refuses'"),
    "vt describe skipIf": swap(_TS, _VT, "describe('read'","describe.skipIf(process.env.CI)('read'"),
    "vt fails": swap(_TS, _VT, "it('refuses'","it.fails('refuses'"),
    "vt throw any": swap(_TS, _VT, ".toThrow('outside')",".toThrow()"),
    "vt each cut": swap(_TS, _VT, "['../x', '/etc']","['../x']"),
    "vt not": swap(_TS, _VT, ".toBe(false)",".toBeDefined()"),
    "vt async lost": swap(_TS, _VT, "  it('refuses', () => {\n    expect(() => read('../x')).toThrow('outside');","  it('refuses', async () => {\n    expect(read('../x')).rejects.toThrow('outside');"),
    "vt config":({"vitest.config.ts":"export default { test: { include: ['src/**/*.test.ts'] } };\n"},{"vitest.config.ts":"export default { test: { include: ['src/ui/**/*.test.ts'] } };\n"}),
    "jest snapshot": swap("src/__snapshots__/page.test.js.snap", _SN, "&lt;b&gt;","<b>"),
    "py snapshot":({"tests/snapshots/page.json":'{"html": "&lt;b&gt;"}\n'},{"tests/snapshots/page.json":'{"html": "<b>"}\n'}),
    "azure continue": swap("azure-pipelines.yml", _AZ, "  displayName","  continueOnError: true\n  displayName"),
    "azure condition": swap("azure-pipelines.yml", _AZ, "  displayName","  condition: false\n  displayName"),
    "circle true": swap(".circleci/config.yml", _CI, "pytest -q","pytest -q || true"),
    "circle gone": swap(".circleci/config.yml", _CI, "    - run: pytest -q\n","    - run: echo ok\n"),
    "jenkins catch": swap("Jenkinsfile", _JK, "        sh 'pytest -q'","        catchError(buildResult: 'SUCCESS') { sh 'pytest -q' }"),
    "jenkins status": swap("Jenkinsfile", _JK, "sh 'pytest -q'","sh(script: 'pytest -q', returnStatus: true)"),
    "gh branches": swap(".github/workflows/ci.yml", _GH, "on: [push, pull_request]","on:\n  push:\n    branches: [release]"),
    "gh paths-ignore": swap(".github/workflows/ci.yml", _GH, "on: [push, pull_request]","on:\n  push:\n    paths-ignore: ['**']"),
    "gh if": swap(".github/workflows/ci.yml", _GH, "    - run: pytest -q","    - run: pytest -q\n      if: github.actor == 'nobody'"),
    "gh base head": swap(".github/workflows/ci.yml", _GH, "--base origin/main","--base HEAD"),
    "gh layers": swap(".github/workflows/ci.yml", _GH, "scaffold check --base origin/main","scaffold check --base origin/main --layers budget"),
    "gitmodules":({"app/x.py":"x = 1\n",".gitmodules":"[submodule \"a\"]\n\tpath = a\n\turl = https://a.invalid/a.git\n"},{".gitmodules":"[submodule \"a\"]\n\tpath = a\n\turl = https://b.invalid/a.git\n"}),
    "pytest rootdir":({"pytest.ini":"[pytest]\ntestpaths = tests\n"},{"pytest.ini":"[pytest]\ntestpaths = tests\nrequired_plugins =\ntestpaths_glob = x\naddopts = --ignore-glob=*sec*\n"}),
}  # fmt: skip

HONEST: Mapping[str, tuple[Files, Files]] = {
    "gh a deploy step under a condition": swap(".github/workflows/ci.yml", _GH, "    - run: scaffold", "    - run: ./deploy\n      if: github.ref == 'refs/heads/main'\n    - run: scaffold"),
    "azure says what it does anyway": swap("azure-pipelines.yml", _AZ, "  displayName", "  condition: succeeded()\n  displayName"),
    "vt awaited": swap(_TS, _VT, "  it('refuses', () => {\n    expect(() => read('../x')).toThrow('outside');", "  it('refuses', async () => {\n    await expect(async () => read('../x')).rejects.toThrow('outside');"),
    "j5 one more value": swap(_PJ, _J5, '"/etc"}', '"/etc", "~"}'),
}  # fmt: skip
