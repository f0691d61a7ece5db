/** Notifications over GraphQL: what they show, whose marks they have, and that two consoles of a user agree. */
import { deepEqual, equal, match, partialDeepStrictEqual, rejects } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { notificationHandlers } from '../../../gateway/operations/devices/notifications.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { seenMarkHandlers } from '../../../gateway/operations/operators/actionCenter/markSeen.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import type { News } from '../../../spec/devices/news.ts'
import { connect, subscribe } from '../../kit/program/socket.ts'
import { requestFacts } from '../../kit/runtime/requestFacts.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'
import { creation, snapshotOf } from '../../kit/runtime/writes.ts'

let world: TestGateway
let adaId: string
let ada: Record<string, string>
let bob: Record<string, string>
let adasKey: Record<string, string>

before(async () => {
  world = await startTestGateway({ options: { operations, objectTypes } })
  const signedIn = await world.signIn()
  adaId = signedIn.userId
  ada = { authorization: `Bearer ${signedIn.token}` }
  bob = { authorization: `Bearer ${(await world.signIn()).token}` }
  adasKey = { 'x-api-key': (await world.apiKey(adaId)).token }
})
after(() => world.stop())

const run = { kind: 'run', id: 'run_01kaphy43cbe3sxpny3wgwp6c9' }

let published = 0
async function publish(news: Partial<News> = {}, subject = run): Promise<string> {
  const id = world.newId('news')
  const told = { reason: 'RUN_ENDED', at: 1_763_636_195_000, name: 'Fix login', ...news }
  const create = { cause: `run_1:${++published}:0`, subject, news: told, agent: 'box', createdAt: Date.now() }
  await world.ask({ kind: 'news', id }, { type: 'create' }, create)
  return id
}

interface Shown {
  readonly notifications: {
    readonly totalCount: number
    readonly unreadCount: number
    readonly nodes: { readonly id: string; readonly title: string; readonly isRead: boolean }[]
  }
}

const fields = 'id reason status title body actorId actorKind objectId at isRead'

async function list(who: Record<string, string>, args = 'first: 9'): Promise<Shown['notifications']> {
  const { body } = await world.graphql(
    `{ notifications(${args}) { totalCount unreadCount nodes { ${fields} } } }`,
    {},
    who,
  )
  equal(body.errors, undefined)
  return (body.data as unknown as Shown).notifications
}

async function mark(notifications: object, who = ada) {
  const query =
    'mutation ($input: MarkNotificationsReadInput!) { markNotificationsRead(input: $input) { unreadCount } }'
  const { body } = await world.graphql(query, { input: { notifications } }, who)
  const [error] = body.errors ?? []
  const data = body.data as { markNotificationsRead?: { unreadCount: number } } | null | undefined
  return { unreadCount: data?.markNotificationsRead?.unreadCount, message: error?.message ?? '', error }
}

test('a notification has the text of its push message, in the requested language, and the object that it is about', async () => {
  const id = await publish({ status: 'FAILED', run: { kind: 'SESSION', number: 12 } })
  const [shown] = (await list(ada)).nodes
  deepEqual(shown, {
    id,
    reason: 'RUN_ENDED',
    status: 'FAILED',
    title: 'Session run 12 failed',
    body: 'Fix login · box',
    actorId: 'run_01kaphy43cbe3sxpny3wgwp6c9',
    actorKind: 'RUN',
    objectId: 'run_01kaphy43cbe3sxpny3wgwp6c9',
    at: '2025-11-20T10:56:35.000Z',
    isRead: false,
  } as unknown)
  for (const [language, title] of [
    ['de-CH', 'Sitzungslauf 12 ist fehlgeschlagen'],
    ['tlh', 'Session run 12 failed'],
  ])
    equal((await list(ada, `first: 1, language: "${language}"`)).nodes[0]?.title, title)
})

test('a notification about a part of an object has the object on whose page people decide', async () => {
  const parts = { workflowStep: 'run_1', schedule: 'wfl_1', pushBuild: 'bcf_1' } as const
  for (const [kind, objectId] of Object.entries(parts)) {
    const part = kind as keyof typeof parts
    const subject = { kind: part, id: world.newId(part) }
    await world.ask(subject, { type: 'create' }, inits[part])
    await publish({ reason: 'WAITING_FOR_INPUT' }, subject)
    const [shown] = (await list(ada, 'first: 1')).nodes as unknown[]
    partialDeepStrictEqual(shown, { actorId: subject.id, objectId })
  }
  const purged = { kind: 'workflowStep', id: world.newId('workflowStep') }
  await publish({ reason: 'WAITING_FOR_INPUT' }, purged)
  const [shown] = (await list(ada, 'first: 1')).nodes as unknown[]
  partialDeepStrictEqual(shown, { actorId: purged.id, objectId: purged.id })
})

test('a mark with an API key counts for the user of the key, and no other user sees it', async () => {
  const id = await publish()
  const { unreadCount } = await list(ada)
  equal((await mark({ ids: [id] }, adasKey)).unreadCount, unreadCount - 1)
  equal((await list(ada)).nodes.find((one) => one.id === id)?.isRead, true)
  equal((await list(bob)).nodes.find((one) => one.id === id)?.isRead, false)
  const { body } = await world.graphql(
    'query ($id: ID!) { actorHistory(id: $id, last: 1) { nodes { payload change } } }',
    { id: `rdm_${adaId.slice(4)}` },
    bob,
  )
  equal(body.errors, undefined)
  equal(JSON.stringify(body.data).includes(id), false, 'other users do not see the marks in its history')
})

const id = 'nws_01kaphy43cbe3sxpny3wgwp6c9'
const wrong: Readonly<Record<string, readonly [given: object, message: RegExp]>> = {
  'no IDs': [{ ids: [] }, /ids.*at least one/],
  'too many': [{ ids: Array(101).fill(id) }, /ids.*at most 100/],
  'an ID of another kind': [{ ids: ['run_01kaphy43cbe3sxpny3wgwp6c9'] }, /ids.*nws_/],
  'an unknown ID': [{ upTo: id }, /no news nws_01kaphy43cbe3sxpny3wgwp6c9/],
  both: [{ ids: [id], upTo: id }, /one/i],
  neither: [{}, /one/i],
}
for (const [what, [given, message]] of Object.entries(wrong)) {
  test(`marking is refused with ${what}, and the error shows the rule`, async () => {
    const refused = await mark(given)
    match(refused.message, message)
  })
}

test('two consoles of a user receive the same count, after a notification and after a mark', async () => {
  await mark({ upTo: await publish() })
  const clients = [connect(world.wsUrl, { 'X-API-Key': adasKey['x-api-key'] }), connect(world.wsUrl, ada)]
  const consoles = clients.map((client) =>
    subscribe<{ unreadCount: number; newestId: string }>(
      client,
      'subscription { notificationsChanged { unreadCount newestId } }',
    ),
  )
  try {
    for (const one of consoles) await one.first('the current count', ({ unreadCount }) => unreadCount === 0)
    const newest = await publish()
    for (const one of consoles)
      await one.first('the new one', ({ unreadCount, newestId }) => unreadCount === 1 && newestId === newest)
    const known = consoles.map(({ items }) => items.length)
    await mark({ ids: [newest] })
    for (const [index, one] of consoles.entries()) {
      const items = await one.reached((known[index] ?? 0) + 1)
      deepEqual(items.at(-1), { unreadCount: 0, newestId: newest })
    }
  } finally {
    for (const client of clients) await client.dispose()
  }
})

test('a console is notified if another console of its user marks items as seen, and not for another user', async () => {
  const snapshot = snapshotOf({ question: { id: 'q1', answered: false } })
  const waits = { status: 'WAITING_FOR_INPUT' }
  await world.storage.journal.commit(
    [creation('run', { snapshot, init: JSON.stringify(inits.run), columns: waits })],
    [],
  )
  const clients = [ada, bob].map((who) => connect(world.wsUrl, who))
  const [own, other] = clients.map((client) =>
    subscribe<{ revision: number }>(client, 'subscription { actionCenterSeenChanged { revision } }'),
  )
  try {
    await Promise.all([own, other].map((one) => one?.first('no marks', ({ revision }) => revision === 0)))
    const ask = 'mutation { markAllActionCenterItemsSeen(input: {}) { unseenCount } }'
    const seen = async (who: Record<string, string>) =>
      ((await world.graphql(ask, {}, who)).body.data as never as { markAllActionCenterItemsSeen: object })
        .markAllActionCenterItemsSeen
    deepEqual(await seen(adasKey), { unseenCount: 0 })
    await own?.first('the marks', ({ revision }) => revision > 0)
    deepEqual(other?.items, [{ revision: 0 }])
  } finally {
    for (const client of clients) await client.dispose()
  }
})

test('an item ID in the wrong form is refused', async () => {
  const query =
    'mutation ($input: MarkActionCenterItemsSeenInput!) { markActionCenterItemsSeen(input: $input) { unseenCount } }'
  const { body } = await world.graphql(query, { input: { itemIds: ['run_1'] } }, ada)
  match(body.errors?.[0]?.message ?? '', /itemIds.*`id` of an item/)
})

test('a run has no user, so it has neither notifications nor marks', async () => {
  const principal = { kind: 'run', runId: 'run_1', agentId: 'agt_1' } as const
  const context = { ...requestFacts, principal, views: withRowTypes(world.storage.views) }
  const [notifications, markNotificationsRead] = notificationHandlers
  const [markSome, markAll] = seenMarkHandlers
  const refused = { code: 'FORBIDDEN', message: /belong to a user, and a run has none/ }
  await rejects(async () => await notifications.read({}, context), refused)
  await rejects(async () => await markNotificationsRead.translate({ notifications: { ids: [id] } }, context), refused)
  await rejects(async () => await markSome.translate({ itemIds: [] }, context), refused)
  await rejects(async () => await markAll.translate({}, context), refused)
})
