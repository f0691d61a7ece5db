/** The pages of a run whose logs, events and transitions the retention has deleted. */
import { join } from 'node:path'
import { before, test } from 'node:test'
import { USERNAME } from '../../../../storage/embedded/initialize.ts'
import { PORT } from '../../../../storage/embedded/socketFolder.ts'
import { dropOld } from '../../../../storage/retention/retention.ts'
import { connect } from '../../../../storage/sql/sql.ts'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { startMachine } from '../../../kit/program/machine.ts'
import { startRun, untilRun } from '../../../kit/program/runs.ts'

const { stage, person, page } = await atConsole()
const machine = await startMachine(stage, { branches: ['one', 'two'] })
const dayMs = 86_400_000

const inWorktree = async (branch: string, task: object): Promise<string> => {
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree(branch), title: 'Old', ...task })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  return id
}
const conversation = await inWorktree('one', { prompt: 'say Good day.' })
const command = await inWorktree('two', { command: 'echo one; echo two' })

before(async () => {
  const connection = { host: join(stage.dataDir, 'postgres'), port: PORT, database: 'signalbox', username: USERNAME }
  const sql = connect({ connection }, { name: 'test', max: 1 })
  const keep = { journalDays: 90, streamDays: 30, telemetryDays: 30, toolCallDays: 90 }
  await dropOld(sql, Date.now() + 200 * dayMs, keep)
  await sql.end()
})

test('the page of the log states that the log was deleted', async () => {
  await page.goto(`/runs/${command}/log`)
  await page.getByText('The log was deleted when its retention had passed.', { exact: true }).waitFor()
  person.fine()
})

test('the page of the run states that the transcript was deleted', async () => {
  await page.goto(`/runs/${conversation}`)
  await page.getByText('The transcript was deleted when its retention had passed.', { exact: true }).waitFor()
  person.fine()
})

for (const tab of ['statechart', 'history'])
  test(`the tab ${tab} states that the transitions were deleted`, async () => {
    await page.goto(`/runs/${command}/${tab}`)
    await page.getByText('The transitions were deleted when their retention had passed.', { exact: true }).waitFor()
    person.fine()
  })

test('a link to a moment states that the transitions and the log were deleted', async () => {
  await page.goto(`/runs/${command}/log?at=2`)
  await page.getByText('The transitions were deleted when their retention had passed.', { exact: true }).waitFor()
  await page.getByText('The log was deleted when its retention had passed.', { exact: true }).waitFor()
  person.fine()
})

test('the page of the actor states that the transitions were deleted', async () => {
  await page.goto(`/actors/${command}`)
  await page.getByText('The transitions were deleted when their retention had passed.', { exact: true }).waitFor()
  person.fine()
})
