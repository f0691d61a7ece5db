/** Which coding CLIs there are, and which of them is not well since when. */
import { deepEqual, ok, rejects } from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as v from 'valibot'
import { agentCliHandlers } from '../../../gateway/operations/agents/agentClis.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { noteClis } from '../../../machines/agents/agentClis.ts'
import { agentMembers } from '../../../machines/agents/agentKeys.ts'
import { Members } from '../../../machines/framework/members.ts'
import { openMemoryStorage } from '../../kit/runtime/memory/memory.ts'
import { requestFacts } from '../../kit/runtime/requestFacts.ts'
import { creation, newId } from '../../kit/runtime/writes.ts'

const [health] = agentCliHandlers
ok(health)

const agent = (name: string, status: string, clis: readonly object[]) =>
  creation('agent', {
    init: JSON.stringify({ name }),
    columns: { status, terminal: status === 'REVOKED' },
    members: clis.length === 0 ? [] : [{ key: agentMembers.clis, value: clis }],
  } as never)

const good = { name: 'claude', protocol: 'ACP', version: '2.1.0', healthy: true, signIn: 'SIGNED_IN', since: 3_000 }
const bad = { name: 'codex', protocol: 'ACP', healthy: false, problem: 'It is not found.', since: 2_000 }
const older = { name: 'gemini', protocol: 'PLAIN', healthy: false, problem: 'It hangs.', since: 1_000 }

const mac = agent('mac', 'CONNECTED', [good, bad])
const away = agent('away', 'LOST', [good])
const plain = agent('plain', 'CONNECTED', [])
const over = agent('over', 'REVOKED', [bad])
const old = agent('old', 'CONNECTED', [older, { name: 'sh', protocol: 'PLAIN', healthy: true }])

async function asked(agentId?: string) {
  const { journal, views } = openMemoryStorage()
  await journal.commit([mac, away, plain, over, old], [])
  ok(health)
  return (await health.read(v.parse(health.input, { agentId }), { ...requestFacts, views: withRowTypes(views) })).nodes
}

describe('the health of coding CLIs', () => {
  it('lists broken CLIs first, then those of unreachable agents, then working ones, each group by the time of its state', async () => {
    deepEqual(
      (await asked()).map(({ agentName, name, usable, since }) => [
        agentName,
        name,
        usable,
        since && Date.parse(since),
      ]),
      [
        ['old', 'gemini', false, 1_000],
        ['mac', 'codex', false, 2_000],
        ['away', 'claude', false, 3_000],
        ['old', 'sh', true, null],
        ['mac', 'claude', true, 3_000],
      ],
    )
  })

  it('has an unknown sign-in if the agent does not report it', async () => {
    const nodes = await asked()
    deepEqual(
      nodes.map(({ name, signIn }) => [name, signIn]),
      [
        ['gemini', 'UNKNOWN'],
        ['codex', 'UNKNOWN'],
        ['claude', 'SIGNED_IN'],
        ['sh', 'UNKNOWN'],
        ['claude', 'SIGNED_IN'],
      ],
    )
  })

  it('can be limited to one agent', async () => {
    deepEqual(await asked(away.ref.id), [
      {
        agentId: away.ref.id,
        agentName: 'away',
        connectionStatus: 'LOST',
        name: 'claude',
        protocol: 'ACP',
        version: '2.1.0',
        healthy: true,
        problem: null,
        since: '1970-01-01T00:00:03.000Z',
        signIn: 'SIGNED_IN',
        usable: false,
      },
    ])
    await rejects(asked(newId('agent')), { code: 'NOT_FOUND' })
  })
})

describe('the CLIs that an agent reports', () => {
  const clisOf = (members: Members) => members.get(agentMembers.clis)

  it('keep the time since which the health of each CLI is the same', () => {
    const first = noteClis(
      Members.empty,
      [
        { name: 'a', healthy: true },
        { name: 'b', healthy: true },
      ],
      1,
    )
    const second = noteClis(
      first,
      [
        { name: 'a', healthy: true, problem: null },
        { name: 'b', healthy: false, problem: 'x' },
      ],
      2,
    )
    deepEqual(clisOf(second), [
      { name: 'a', healthy: true, problem: null, since: 1 },
      { name: 'b', healthy: false, problem: 'x', since: 2 },
    ])
  })

  it('get the time of the report if no time was stored', () => {
    const before = Members.empty.with(agentMembers.clis, [{ name: 'a', healthy: true }])
    deepEqual(clisOf(noteClis(before, [{ name: 'a', healthy: true }], 7)), [{ name: 'a', healthy: true, since: 7 }])
  })
})
