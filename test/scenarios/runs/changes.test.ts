/** The changes that a run made in its worktree, as a person and an AI client read it after the run. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { git, type Machine, startMachine } from '../../kit/program/machine.ts'
import { modern } from '../../kit/program/mcp.ts'
import { startRun, untilRun } from '../../kit/program/runs.ts'
import { gate, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['work', 'large', 'shared', 'none', 'ai'] })
})
after(() => stage?.end())

interface Changes {
  readonly commit: string
  readonly problem: string | null
  readonly isShared: boolean
  readonly commits: readonly { readonly subject: string; readonly author: string; readonly sha: string }[]
  readonly commitCount: number
  readonly files: readonly {
    readonly path: string
    readonly oldPath: string | null
    readonly status: string
    readonly content: string
    readonly addedLines: number | null
    readonly removedLines: number | null
  }[]
  readonly fileCount: number
  readonly addedLines: number
  readonly removedLines: number
  readonly diff: string
  readonly omittedFromDiff: readonly string[]
}

const fields = `commit problem isShared commitCount fileCount addedLines removedLines diff omittedFromDiff
  commits { sha author subject authoredAt } files { path oldPath status content addedLines removedLines }`

async function changesOf(runId: string): Promise<Changes | null> {
  const { run } = await stage.ask<{ run: { changes: Changes | null } }>(
    `query ($id: ID!) { run(id: $id) { changes { ${fields} } } }`,
    { id: runId },
  )
  return run.changes
}

const over = ['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST']

async function runOf(branch: string, command: string): Promise<string> {
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree(branch), command })
  await untilRun(stage.ask, id, over)
  return id
}

const who = 'git -c user.name=Bot -c user.email=bot@example.com'

test('after a run its commits, changed files and diff are stored, without the changes that existed before the run', async () => {
  const path = machine.path('work')
  await writeFile(join(path, 'README.md'), '# A project\nby hand\n')
  const commit = await git(path, 'rev-parse', 'HEAD')
  const runId = await runOf(
    'work',
    `printf 'one\\ntwo\\n' > new.txt && git add new.txt && ${who} commit -qm 'Add a file' && echo 'by the run' >> README.md`,
  )
  const changes = await changesOf(runId)
  assert.deepEqual(
    { ...changes, commits: changes?.commits.map(({ subject, author }) => `${subject} by ${author}`), diff: undefined },
    {
      commit,
      problem: null,
      isShared: false,
      commits: ['Add a file by Bot'],
      commitCount: 1,
      files: [
        { path: 'README.md', oldPath: null, status: 'MODIFIED', content: 'TEXT', addedLines: 1, removedLines: 0 },
        { path: 'new.txt', oldPath: null, status: 'ADDED', content: 'TEXT', addedLines: 2, removedLines: 0 },
      ],
      fileCount: 2,
      addedLines: 3,
      removedLines: 0,
      diff: undefined,
      omittedFromDiff: [],
    },
  )
  assert.match(changes?.diff ?? '', /^ by hand\n\+by the run$/m)
  assert.match(changes?.diff ?? '', /^\+one\n\+two$/m)
})

test('a running run has no changes yet, and a run that changes nothing has empty changes', async () => {
  const waits = gate(stage)
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('none'), command: waits.command })
  await waits.untilBegun()
  assert.equal(await changesOf(id), null)
  await waits.open()
  await untilRun(stage.ask, id, over)
  const changes = await changesOf(id)
  assert.deepEqual([changes?.fileCount, changes?.commitCount, changes?.diff], [0, 0, ''])
})

test('the changes of a failed run with a coding CLI are the last events of its conversation', async () => {
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('ai'), prompt: 'write made.txt\nfail' })
  await untilRun(stage.ask, id, over)
  const { runEvents } = await stage.ask<{ runEvents: { events: { type: string }[] } }>(
    'query ($runId: ID!) { runEvents(runId: $runId) { events { type } } }',
    { runId: id },
  )
  assert.equal(runEvents.events.at(-1)?.type, 'CHANGES_DIFF')
  assert.equal(runEvents.events.at(-2)?.type, 'CHANGES')
  assert.deepEqual(
    (await changesOf(id))?.files.map(({ status, path }) => `${status} ${path}`),
    ['ADDED made.txt'],
  )
})

test('of many large changes, 500 files are listed, the diff has whole files, and an AI client gets as much as it asks for', async () => {
  const lines = 'for n in $(seq 1 600); do seq 1 400 > file-$(printf %03d $n).txt; done'
  const runId = await runOf('large', lines)
  const changes = await changesOf(runId)
  assert.deepEqual([changes?.fileCount, changes?.files.length, changes?.addedLines], [600, 500, 240_000])
  const inDiff = changes?.diff.match(/^diff --git /gm)?.length ?? 0
  assert.ok(inDiff > 50 && inDiff < 200, `${inDiff} files are in the diff`)
  assert.match(changes?.diff ?? '', /\n\+400\n$/)
  assert.equal(changes?.omittedFromDiff.includes('file-500.txt'), true)

  const call = { name: 'get_run_changes', arguments: { runId, maxBytes: 1_000 } }
  const { body } = await modern(stage, 'tools/call', call, { headers: { 'x-api-key': stage.key } })
  const { diff, isDiffCut, fileCount } = body?.result?.structuredContent ?? {}
  assert.deepEqual([isDiffCut, fileCount], [true, 600])
  assert.ok(diff.length <= 1_000 && diff.endsWith('\n'), diff)
})

test('the changes of a run that shared its worktree with another run are marked as shared', async () => {
  const waits = gate(stage)
  const configuration = { worktreeConcurrencyLimit: 0 }
  const worktreeId = machine.worktree('shared')
  const { id } = await startRun(stage.ask, { worktreeId, command: waits.command, configuration })
  await waits.untilBegun()
  const other = await startRun(stage.ask, { worktreeId, command: 'echo x > other.txt', configuration })
  await untilRun(stage.ask, other.id, over)
  await waits.open()
  await untilRun(stage.ask, id, over)
  const changes = await changesOf(id)
  assert.deepEqual([changes?.isShared, changes?.files.map(({ path }) => path)], [true, ['other.txt']])
})
