import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  folderAt,
  type JobFolder,
  type JobResult,
  readRecord,
  recordPath,
  writeRecord,
} from '../../../../clients/agent/jobs/folder.ts'
import { pauseSignal } from '../../../../clients/agent/supervisor/pause.ts'
import { pause, until } from '../../../kit/program/agent/agentHost.ts'

const program = fileURLToPath(new URL('../../../../clients/agent/main.ts', import.meta.url))

test('a run that is paused before its first command waits, and runs when it is resumed', async (t) => {
  const supervisor = await startPaused(t)
  await pause(1_000)
  assert.equal(supervisor.exitCode(), undefined, 'the supervisor waits')
  await writeRecord(supervisor.folder, 'pause', { isPaused: false })
  supervisor.signal(pauseSignal)
  assert.equal((await supervisor.result()).outcome, 'SUCCEEDED')
})

test('a run that is paused before its first command can be canceled', async (t) => {
  const supervisor = await startPaused(t)
  await writeRecord(supervisor.folder, 'cancel', { outcome: 'CANCELED', graceSeconds: 1 })
  supervisor.signal('SIGTERM')
  const result = await supervisor.result()
  assert.equal(result.outcome, 'CANCELED')
  assert.equal(result.exitCode, 0, 'no command ran')
})

interface Supervisor {
  readonly folder: JobFolder
  exitCode(): number | undefined
  signal(signal: NodeJS.Signals): void
  result(): Promise<JobResult>
}

/** Starts a supervisor that finds the request to pause, and waits until it has followed it. */
async function startPaused(t: TestContext): Promise<Supervisor> {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-supervisor-')))
  const folder = folderAt(path, 'job_paused', 1)
  await writeRecord(folder, 'job', { jobId: folder.jobId, attempt: 1, kind: 'COMMANDS', phase: 'ACCEPTED' })
  await writeRecord(folder, 'run', {
    mark: folder.mark,
    cwd: path,
    env: {},
    timeoutSeconds: 30,
    steps: [{ name: 'speak', file: 'sh', args: ['-c', 'echo done'] }],
  })
  await writeRecord(folder, 'pause', { isPaused: true })
  const child = spawn(process.execPath, ['--no-warnings', program, '--supervise', path], { stdio: 'ignore' })
  t.after(() => {
    child.kill('SIGKILL')
    rmSync(path, { recursive: true, force: true })
  })
  await until(() => existsSync(recordPath(folder, 'paused')), 'the supervisor pauses')
  return {
    folder,
    exitCode: () => child.exitCode ?? undefined,
    signal: (signal) => void child.kill(signal),
    result: async () => {
      await until(() => existsSync(recordPath(folder, 'result')), 'the result')
      return (await readRecord(folder, 'result')) as JobResult
    },
  }
}
