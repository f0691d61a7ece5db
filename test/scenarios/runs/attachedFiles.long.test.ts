/** Files that a user uploads reach the coding CLI, in the form in which it takes them, and outside the worktree. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { session } from '../../kit/program/everybody.ts'
import type { Credential } from '../../kit/program/graphql.ts'
import { git, type Machine, startMachine } from '../../kit/program/machine.ts'
import { mutate, type RunView, runFields, startRun, untilRun } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine
let user: Credential

before(async () => {
  stage = await startTestProgram()
  user = await session(stage)
  machine = await startMachine(stage, { branches: ['a', 'b', 'c'], clis: ['plain=plain:printf %s'] })
})
after(() => stage?.end())

async function upload(bytes: BlobPart, name: string, type: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([bytes], { type }), name)
  const response = await fetch(`${stage.url}/api/run-attachments`, { method: 'POST', headers: { ...user }, body: form })
  assert.equal(response.status, 201, await response.clone().text())
  return ((await response.json()) as { id: string }).id
}

const start = (branch: string, prompt: string, attachmentIds: readonly string[], more: object = {}) =>
  startRun(stage.ask, { worktreeId: machine.worktree(branch), cli: 'coder', prompt, attachmentIds, ...more })

test('the CLI gets an image, a text and another file, and none of them is in the worktree', async () => {
  const ids = [
    await upload(new Uint8Array(100), 'shot.png', 'image/png'),
    await upload('line 1\nline 2', 'Größe.log', 'text/plain'),
    await upload(new Uint8Array(2_000_000), 'dump.bin', 'application/octet-stream'),
  ]
  const { id } = await start('a', 'attached', ids)
  const done = await untilRun(stage.ask, id, ['SUCCEEDED'])
  assert.equal(done.result?.text, '[image 100][text line 1\nline 2][link dump.bin 2000000]')
  assert.equal(await git(machine.path('a'), 'status', '--porcelain'), '')
  const { run } = await stage.ask<{ run: { attachments: object[] } }>(
    'query ($id: ID!) { run(id: $id) { attachments { name status runId } } }',
    { id },
  )
  assert.deepEqual(run.attachments, [
    { name: 'shot.png', status: 'ATTACHED', runId: id },
    { name: 'Größe.log', status: 'ATTACHED', runId: id },
    { name: 'dump.bin', status: 'ATTACHED', runId: id },
  ])
  const jobs = join(machine.stateDir, 'jobs')
  // The agent removes them after the server has accepted the result.
  await until('the files to be removed with the attempt', async () =>
    (await readdir(jobs)).some((job) => existsSync(join(jobs, job, 'attachments'))) ? undefined : true,
  )
})

test('a follow-up can use the files of its session again, and another run cannot', async () => {
  const file = await upload('hello', 'a.txt', 'text/plain')
  const first = await start('b', 'attached', [file])
  await untilRun(stage.ask, first.id, ['SUCCEEDED'])
  const input = { runId: first.id, prompt: 'attached again', attachmentIds: [file] }
  const { run } = await mutate<{ run: RunView }>(stage.ask, 'createRunFollowUp', input, `run { ${runFields} }`)
  assert.equal((await untilRun(stage.ask, run.id, ['SUCCEEDED'])).result?.text, '[text hello]')
  const again = await mutate<{ run: RunView }>(stage.ask, 'retryRun', { runId: run.id }, 'run { id }')
  assert.equal((await untilRun(stage.ask, again.run.id, ['SUCCEEDED'])).result?.text, '[text hello]')
  const { code, details } = await refusal(start('b', 'attached', [file]))
  assert.deepEqual([code, details.field], ['FAILED_PRECONDITION', 'attachmentIds'])
})

test('a plain CLI gets the paths of the files, and a command gets none', async () => {
  const { id } = await start('c', 'Look.', [await upload('hello', 'a.txt', 'text/plain')], { cli: 'plain' })
  const done = await untilRun(stage.ask, id, ['SUCCEEDED'])
  assert.match(done.result?.text ?? '', /^Look\.\n\nAttached files:\n- \/.*\/attachments\/1\/a\.txt$/)
  const file = await upload('hello', 'b.txt', 'text/plain')
  const worktreeId = machine.worktree('c')
  const { code, details } = await refusal(startRun(stage.ask, { worktreeId, command: 'true', attachmentIds: [file] }))
  assert.deepEqual([code, details.field], ['BAD_USER_INPUT', 'attachmentIds'])
})
