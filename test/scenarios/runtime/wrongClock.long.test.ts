/** The clock of the program's machine is set a day ahead during a run. It changes nothing, because the database provides the time of day. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { lookAt, startRun, untilRun } from '../../kit/program/runs.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

const dayMs = 86_400_000
/** Timers are looked for every second. */
const timersMs = 2_500

let folder: string
let stage: TestProgram

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-clock-'))
  await setAhead(0)
  const preload = new URL('../../longRuns/chaos/program/shiftedClock.ts', import.meta.url).href
  stage = await startTestProgram({
    env: { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${preload}`, CHAOS_CLOCK: join(folder, 'clock') },
  })
})
after(async () => {
  await stage?.end()
  await rm(folder, { recursive: true, force: true })
})

const setAhead = (ms: number) => writeFile(join(folder, 'clock'), String(ms))

test('if the clock is a day ahead, a run with a time limit of an hour continues, and a new run has the right start time', async () => {
  const agent = await startBareAgent(stage, 'bare')
  const { main = '', other = '' } = await reportWorktree(stage, agent, '/srv/bare', ['main', 'other'])
  const start = async (worktreeId: string) => {
    const { id } = await startRun(stage.ask, { worktreeId, command: 'true', timeoutSeconds: 3_600 })
    const jobId = id.replace('run_', 'job_')
    const { attempt } = await agent.offers.first('the offer', (one) => one.jobId === jobId && one.signal === 'OFFER')
    await agent.say('acceptJob', { jobId, attempt }, 'runToken')
    await untilRun(stage.ask, id, ['STARTING', 'RUNNING'])
    return id
  }
  const before = await start(main)
  await setAhead(dayMs)
  process.kill(stage.program.pid, 'SIGUSR2')
  await sleep(timersMs)
  const meanwhile = await start(other)
  await setAhead(0)
  process.kill(stage.program.pid, 'SIGUSR2')
  await sleep(timersMs)
  for (const id of [before, meanwhile]) {
    const run = await lookAt(stage.ask, id)
    assert.match(run.status, /STARTING|RUNNING/)
    assert.ok(Math.abs(Date.parse(run.startedAt ?? '') - Date.now()) < 60_000, `started at ${run.startedAt}`)
  }
  const alarms = stage.program.output().match(/The clock of this machine is 86\d{6} ms ahead of the database's/g)
  assert.equal(alarms?.length, 1)
})
