/** A server with something to see: agents, runs in many states, and some that stand still. */
import { connect, type Sql } from '../../storage/sql/sql.ts'
import { ada, rest } from '../../test/kit/program/accounts.ts'
import { type BareAgent, reportWorktree, startBareAgent } from '../../test/kit/program/bareAgent.ts'
import { mutate, startRun, untilRun } from '../../test/kit/program/runs.ts'
import { startTestProgram, type TestProgram } from '../../test/kit/program/testProgram.ts'
import { embeddedServer } from '../../test/kit/runtime/postgres/embeddedServer.ts'
import { openToolScene } from './toolScene.ts'

export interface Scene {
  readonly url: string
  /** Of the signed-in account. */
  readonly session: string
  /** Views by name, and the paths that show them. */
  readonly views: Readonly<Record<string, string>>
  end(): Promise<void>
}

const branches = ['main', 'search', 'checkout', 'invoices', 'flaky-tests', 'dark-mode'] as const

const asked = [
  ['main', 'Make the nightly build green again'],
  ['search', 'Full-text search over orders'],
  ['checkout', 'Split the checkout into steps'],
  ['invoices', 'Invoices as PDF'],
  ['flaky-tests', 'Find out why the date tests fail on Sundays'],
  ['main', 'Update the dependencies'],
  ['main', 'Rename the module of payments'],
] as const

export async function openScene(): Promise<Scene> {
  const stage = await startTestProgram({
    env: { LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '200000', OUTBOUND_ALLOW: '127.0.0.1' },
  })
  const agents = await Promise.all(['mac-studio-1', 'build-07', 'build-08'].map((name) => startBareAgent(stage, name)))
  const [agent] = agents
  if (agent === undefined) throw new Error('there is no agent')
  const worktrees = await reportWorktree(stage, agent, '/home/ada/orders', [...branches])
  const runs: string[] = []
  for (const [branch, title] of asked) {
    const { id } = await startRun(stage.ask, { worktreeId: worktrees[branch], title, command: 'npm test' })
    runs.push(id)
  }
  const [asks = '', goes = '', late = '', unwatched = ''] = runs
  await begun(stage, agent, asks)
  const question = { text: 'Two tests need a database. Shall I start one in Docker, or skip them?' }
  await agent.say('reportJobWaiting', { ...jobOf(asks), question, questionId: 'q1' }, 'status')
  await begun(stage, agent, goes)
  const chunk = Buffer.from('> npm test\n').toString('base64')
  await agent.say(
    'appendJobLog',
    { ...jobOf(goes), chunks: [{ sequence: 0, stream: 'STDOUT', dataBase64: chunk }] },
    'nextSequence',
  )
  // All pictures take longer than the lease of a job that its agent does not name.
  const jobs = [asks, goes].map(jobOf)
  const held = setInterval(() => {
    agent.say('agentHeartbeat', { load: 1.2, freeMemoryBytes: 9e9, jobs }, 'serverTime').catch(() => {})
  }, 10_000)
  stage.onEnd(() => clearInterval(held))
  await standStill(stage, late, unwatched)
  await openToolScene(stage)
  const session = await signIn(stage, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36')
  await people(stage, session)
  return {
    url: stage.url,
    session,
    views: {
      home: '/',
      fleet: '/machines',
      codebases: '/repositories',
      worktree: `/worktrees/${worktrees.main}`,
      runs: '/runs',
      asks: `/runs/${asks}`,
      run: `/runs/${goes}`,
      chart: `/runs/${asks}/statechart`,
      stuck: '/stuck',
      insights: '/insights',
      kinds: '/insights/states',
      kind: '/insights/states/run',
      actor: `/actors/${asks}`,
      tools: '/tools',
      servers: '/tools/servers',
      audit: '/tools/audit',
      account: '/settings',
      keys: '/settings/keys',
      users: '/settings/users',
      server: '/settings/server',
    },
    end: () => stage.end(),
  }
}

const jobOf = (runId: string) => ({ jobId: runId.replace('run_', 'job_'), attempt: 1 })

async function begun(stage: TestProgram, agent: BareAgent, runId: string): Promise<void> {
  const { jobId } = jobOf(runId)
  await agent.offers.first('the offer', (offer) => offer.jobId === jobId && offer.signal === 'OFFER')
  await agent.say('acceptJob', jobOf(runId), 'runToken')
  await untilRun(stage.ask, runId, ['STARTING', 'RUNNING'])
}

/** What a lost deadline and a defect would leave behind. */
async function standStill(stage: TestProgram, late: string, unwatched: string): Promise<void> {
  const sql: Sql = connect(await embeddedServer(stage.dataDir), { name: 'scene', max: 1 })
  await sql`update actor set stuck_at = ${Date.now() - 47 * 60_000} where id = ${late}`
  await sql`update actor set unwatched = true where id = ${unwatched}`
  await sql.end()
  await mutate(stage.ask, 'drainAgent', { agentId: (await agentIds(stage)).at(-1), drain: true }, 'agent { id }')
}

/** @returns the session's token */
async function signIn(stage: TestProgram, userAgent: string): Promise<string> {
  const headers = { 'user-agent': userAgent }
  const { body } = await rest(stage.url, 'POST', '/api/auth/sign-in/email', { body: ada, headers })
  return String(body.token)
}

/** Who else is here, where the signed-in account is signed in besides, and the keys that it has. */
async function people(stage: TestProgram, session: string): Promise<void> {
  await signIn(stage, 'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_6) Version/26.0 Safari/605.1.15')
  await signIn(stage, 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) CriOS/141.0 Mobile/15E148')
  const headers = { authorization: `Bearer ${session}` }
  const post = async (path: string, body: unknown) =>
    (await rest(stage.url, 'POST', `/api/auth/${path}`, { body, headers })).body
  const day = 86_400
  for (const [name, days] of [
    ['nightly build', 90],
    ['dashboard of the team', 365],
  ] as const)
    await post('api-key/create', { name, expiresIn: days * day })
  const { id: keyId } = await post('api-key/create', { name: 'old laptop' })
  await post('api-key/update', { keyId, enabled: false })
  const password = 'nine little indigo boats'
  for (const name of ['Grace Hopper', 'Katherine Johnson', 'Barbara Liskov', 'Edsger Dijkstra'])
    await post('admin/create-user', { name, email: `${name.split(' ')[0]?.toLowerCase()}@example.com`, password })
  const { user } = await post('admin/create-user', { name: 'Trainee', email: 'trainee@example.com', password })
  await post('admin/ban-user', { userId: (user as { id: string }).id })
}

async function agentIds(stage: TestProgram): Promise<readonly string[]> {
  return (await stage.ask<{ agents: { id: string }[] }>('{ agents { id } }')).agents.map(({ id }) => id)
}
