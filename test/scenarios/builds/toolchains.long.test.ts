/** Builds with stock toolchains, on agents of two users of one machine: make, clang with its coverage as lcov reads it, and npm. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { git, type Machine, startMachine } from '../../kit/program/machine.ts'
import {
  addBareRemote,
  createConfiguration,
  readBuildLog,
  repositoryOf,
  startBuild,
  untilBuild,
} from '../../kit/program/objects/builds.ts'
import { readDeploymentLog, runBuild, untilDeployment } from '../../kit/program/objects/deployments.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

/** Debian has both users. */
const [builderUser, runnerUser] = ['daemon', 'backup'] as const
const skip = process.getuid?.() === 0 ? false : 'only root can start agents of other users'

const files: Readonly<Record<string, string>> = {
  'greeting.h': 'const char *greeting(int formal);\n',
  'greeting.c': `#include "greeting.h"

const char *greeting(int formal) {
  if (formal) {
    return "Good day";
  }
  return "Hello";
}
`,
  'main.c': `#include "greeting.h"
#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  printf("%s, %s\\n", greeting(1), getpwuid(geteuid())->pw_name);
  return 0;
}
`,
  'check.c': `#include "greeting.h"
#include <string.h>

int main(void) { return strcmp(greeting(0), "Hello"); }
`,
  Makefile: `CC = clang
COVERAGE = -fprofile-instr-generate -fcoverage-mapping

dist/greet: main.c greeting.c greeting.h
\tmkdir -p dist
\t$(CC) -O2 -Wall -Werror -o $@ main.c greeting.c

coverage/lcov.info: check.c greeting.c greeting.h
\tmkdir -p coverage
\t$(CC) $(COVERAGE) -o check check.c greeting.c
\tLLVM_PROFILE_FILE=check.profraw ./check
\tllvm-profdata merge -o check.profdata check.profraw
\tllvm-cov export -format=lcov -instr-profile=check.profdata ./check > $@
`,
  'package.json': JSON.stringify({
    ...{ name: 'greet', version: '1.2.3', license: 'MIT', files: ['index.js'] },
    scripts: { test: 'node --test' },
  }),
  'index.js': "export const greeting = () => 'Hello'\n",
  'index.test.js':
    "const { test } = require('node:test')\ntest('greets', async () => require('node:assert').equal((await import('./index.js')).greeting(), 'Hello'))\n",
}

let stage: TestProgram
let builder: Machine
let runner: Machine
let repositoryId = ''

before(async () => {
  if (skip) return
  stage = await startTestProgram()
  builder = await startMachine(stage, {
    ...{ hasTestClis: false, user: builderUser },
    async prepare(repository) {
      for (const [name, text] of Object.entries(files)) await writeInto(repository, name, text)
      await git(repository, 'add', '.')
      await git(repository, 'commit', '--quiet', '-m', 'A program')
      await addBareRemote(repository)
    },
  })
  runner = await startMachine(stage, { name: 'runner', hasTestClis: false, user: runnerUser })
  repositoryId = await repositoryOf(stage, builder)
})
after(() => stage?.end())

async function writeInto(folder: string, name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), text)
}

async function build(name: string, command: string, input: object, started: object = {}): Promise<string> {
  const buildConfigurationId = await createConfiguration(stage.ask, {
    ...{ repositoryId, name, steps: [{ name, command }] },
    ...input,
  })
  const { id } = await startBuild(stage.ask, {
    buildConfigurationId,
    worktreeId: builder.worktree('main'),
    ...started,
  })
  await untilBuild(stage.ask, id, ['SUCCEEDED'])
  return id
}

test('the coverage of a clang report has the counts that lcov reads from the same report', { skip }, async () => {
  const id = await build(
    'coverage',
    'make coverage/lcov.info && lcov --summary coverage/lcov.info',
    { coverageReports: [{ format: 'LCOV', pattern: 'coverage/*.info' }] },
    { kind: 'COVERAGE' },
  )
  const [, covered, total] = /lines\.+: [\d.]+% \((\d+) of (\d+) lines\)/.exec(await readBuildLog(stage.ask, id)) ?? []
  const { build: found } = await stage.ask<{ build: { coverage: Record<string, unknown> } }>(
    'query ($id: ID!) { build(id: $id) { coverage { linesCovered linesTotal files(first: 10) { nodes { path } } } } }',
    { id },
  )
  assert.deepEqual(found.coverage, {
    ...{ linesCovered: Number(covered), linesTotal: Number(total) },
    files: { nodes: [{ path: 'greeting.c' }, { path: 'check.c' }] },
  })
  assert.ok(Number(covered) > 0 && Number(covered) < Number(total))
})

test('a program that `make` built as one user is deployed to the agent of another user, and runs as that user', {
  skip,
}, async () => {
  const buildId = await build('make', 'make dist/greet', { artifacts: ['dist/*'] })
  const { id } = await runBuild(stage.ask, {
    ...{ buildId, destination: { kind: 'HOST' }, targetAgentId: runner.agentId },
  })
  await untilDeployment(stage.ask, id, ['SUCCEEDED'])
  assert.match(await readDeploymentLog(stage.ask, id), new RegExp(`Good day, ${runnerUser}\\n`))
})

test('neither user can read the files of the other agent', { skip }, async () => {
  for (const [machine, other] of [
    [builder, runnerUser],
    [runner, builderUser],
  ] as const) {
    assert.equal((await stat(machine.stateDir)).mode & 0o077, 0)
    const as = ['--reuid', other, '--regid', other, '--clear-groups', 'ls', machine.stateDir]
    assert.notEqual(spawnSync('setpriv', as).status, 0)
  }
})

test('a package that npm packed is the artifact, byte for byte', { skip }, async () => {
  const id = await build('npm', 'npm install --offline && npm test && npm pack && sha256sum *.tgz', {
    artifacts: ['*.tgz'],
  })
  const [, sha256] = /([0-9a-f]{64}) {2}greet-1\.2\.3\.tgz/.exec(await readBuildLog(stage.ask, id)) ?? []
  const { links } = await stage.ask<{ links: { downloadUrl: string }[] }>(
    'query ($id: ID!) { links: buildArtifactLinks(buildId: $id) { downloadUrl } }',
    { id },
  )
  const file = join(stage.folder, 'downloaded.tgz')
  execFileSync('curl', ['--fail', '--silent', '--output', file, links[0]?.downloadUrl ?? ''])
  assert.equal(execFileSync('sha256sum', [file], { encoding: 'utf8' }).split(' ')[0], sha256)
  assert.match(execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }), /package\/index\.js/)
})
