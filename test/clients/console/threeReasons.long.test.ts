/** With the keyboard alone: a stuck actor is found, explained and freed, for each of the three reasons. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { connect } from '../../../storage/sql/sql.ts'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { press, tabTo } from '../../kit/browser/keys.ts'
import { soon } from '../../kit/browser/soon.ts'
import { whereIs } from '../../kit/browser/visit.ts'
import { reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { lookAt, startRun, untilOffered, untilRun } from '../../kit/program/runs.ts'
import { until } from '../../kit/program/until.ts'
import { embeddedServer } from '../../kit/runtime/postgres/embeddedServer.ts'

const { stage, person, page } = await atConsole()
const agent = await startBareAgent(stage, 'bare')
const worktrees = await reportWorktree(stage, agent, '/srv/bare', ['main', 'second', 'third'])
const sql = connect(await embeddedServer(stage.dataDir), { name: 'test', max: 1 })
stage.onEnd(() => sql.end())

async function offered(branch: string) {
  const { id } = await startRun(stage.ask, { worktreeId: worktrees[branch], title: `on ${branch}`, command: 'true' })
  const jobId = id.replace('run_', 'job_')
  const { attempt } = await agent.offers.first('the offer', (one) => one.jobId === jobId && one.signal === 'OFFER')
  await untilOffered(stage.ask, id)
  return { id, jobId, attempt }
}

const lit = (name: string) => page.locator('.chart .state.current', { hasText: name })
const button = (name: string) => page.getByRole('button', { name, exact: true })

/** From the first page to the actor, through the list of stuck actors. */
async function find(id: string, called: string | RegExp, why: RegExp): Promise<void> {
  await page.goto('/')
  const stuck = page.getByRole('link', { name: 'Stuck items: causes and fixes' })
  await stuck.waitFor()
  await press(page, stuck)
  const row = page.getByRole('listitem').filter({ hasText: id })
  await row.getByText(called).waitFor()
  await row.getByText(why).first().waitFor()
  await press(page, row.getByRole('link', { name: id }))
  await soon(() => assert.equal(whereIs(page), `/actors/${id}`))
}

/** Opens the operator action, reads its preview, gives a reason and performs it. */
async function free(label: string, outcome: RegExp, why: string): Promise<void> {
  await press(page, button('Show actions'))
  await press(page, button(label))
  const dialog = page.getByRole('dialog')
  await dialog.getByText(outcome).first().waitFor()
  await tabTo(page, dialog.getByLabel('Reason'))
  await page.keyboard.type(why)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
}

test('an overdue actor is found and force-ended', async () => {
  const { id } = await offered('main')
  await sql`update actor set stuck_at = ${Date.now() - 600_000} where id = ${id}`
  await find(id, 'on main', /Overdue: waiting for its agent to accept the job/)
  await lit('ADMITTED').waitFor()
  await free('Force-end run', /Canceled/, 'nobody accepts it')
  await lit('CANCELED').waitFor()
  assert.equal((await lookAt(stage.ask, id)).status, 'CANCELED')
})

test('a stranded actor is found, and a transition is forced', async () => {
  const { id } = await offered('second')
  await sql`update actor set unwatched = true where id = ${id}`
  await find(id, 'on second', /Stranded: no timer, message or person can advance it/)
  await free('Force transition to Failed', /Failed/, 'it was forgotten')
  await lit('FAILED').waitFor()
  assert.equal((await lookAt(stage.ask, id)).status, 'FAILED')
})

test('a failed effect is found, its cause is removed, and the effect is retried', async () => {
  const { id, jobId, attempt } = await offered('third')
  const job = { jobId, attempt }
  await agent.say('acceptJob', job, 'runToken')
  // It simulates a full disk: the end of a log cannot be written.
  await sql`create function no_end() returns trigger language plpgsql as $$ begin raise exception 'no room for the end'; end $$`
  await sql`create trigger no_end before insert on stream_entry for each row when (new.kind = 'END') execute function no_end()`
  const logSha256 = createHash('sha256').digest('hex')
  await agent.say('completeJob', { ...job, outcome: 'SUCCEEDED', processesLeft: 0, logChunks: 0, logSha256 })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  // It skips all but the last of the eight attempts, which would take half a minute.
  await until('the first attempt to fail', async () => {
    const { count } =
      await sql`update outbox set attempts = 7, failures = 7 where actor = ${jobId} and type = 'endStream' and attempts between 1 and 6 and claimed_by is null`
    return count > 0 ? true : undefined
  })
  await find(jobId, jobId, /no room for the end/)
  await sql`drop trigger no_end on stream_entry`
  await free('Retry effect: endStream', /Succeeded/, 'the disk has room again')
  await page.goto('/stuck')
  await page.locator('main').locator('.empty, .cards li').first().waitFor()
  // On a slow machine another job may be overdue by now, because no agent has accepted it.
  await page.getByRole('listitem').filter({ hasText: jobId }).waitFor({ state: 'detached' })
  person.fine()
})
