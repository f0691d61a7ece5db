/** Notifications with their read marks, and the seen marks of the Action Center: the operations over a storage. */
import { deepEqual, equal, notEqual, rejects } from 'node:assert/strict'
import { describe } from 'node:test'
import * as v from 'valibot'
import { countRows } from '../../gateway/operations/core/connections.ts'
import { notificationHandlers } from '../../gateway/operations/devices/notifications.ts'
import { executeMutation } from '../../gateway/operations/executeMutation.ts'
import type { Mutation } from '../../gateway/operations/handler.ts'
import { seenMarkHandlers } from '../../gateway/operations/operators/actionCenter/markSeen.ts'
import { actionCenterHandlers } from '../../gateway/operations/operators/actionCenter/operations.ts'
import type { RequestContext } from '../../gateway/operations/requestContext.ts'
import { withRowTypes } from '../../gateway/operations/typedViews.ts'
import { numberedId, siblingId } from '../../spec/core/ids.ts'
import type { Storage } from '../../storage/storage.ts'
import { requestFacts } from '../kit/runtime/requestFacts.ts'
import { inits } from '../kit/runtime/samples/samples.ts'
import { openSystem } from '../kit/runtime/testSystem.ts'
import { creation, nextWrite, snapshotOf } from '../kit/runtime/writes.ts'
import { itIn, type OpenDatabase } from './storages.ts'

const [notifications, markNotificationsRead] = notificationHandlers
const [markSome, markAll] = seenMarkHandlers
const [actionCenter] = actionCenterHandlers

interface MarkingUser {
  readonly id: string
  list(input?: v.InferInput<typeof notifications.input>): Promise<{
    readonly ids: readonly string[]
    /** The IDs of those that are read. */
    readonly read: readonly string[]
    readonly totalCount: number
    readonly unreadCount: number
    readonly endCursor: string | null
  }>
  /** @returns the number of unread notifications */
  read(which: { readonly ids?: readonly string[]; readonly upTo?: string }): Promise<number>
  items(): Promise<{ readonly id: string; readonly isSeen: boolean; readonly kind: string }[]>
  unseen(): Promise<number>
  /** @returns the number of unseen items */
  see(itemIds: readonly string[]): Promise<number>
  seeAll(kinds?: readonly string[]): Promise<number>
}

function openWorld(storage: Storage) {
  const { clock, system, newId, make, history, ask } = openSystem({ storage, owner: 'one' })
  const contextOf = (userId: string) => {
    const principal = { kind: 'user', userId, sessionId: 'ase_1' } as const
    return { ...requestFacts, principal, views: withRowTypes(storage.views), now: clock.now() } as RequestContext
  }
  const mutate = async <T>(operation: object, input: unknown, userId: string): Promise<T> => {
    const { input: schema } = operation as Mutation
    const parsed = schema && v.parse(schema, input)
    return (await executeMutation(operation as Mutation, parsed, contextOf(userId), system)) as T
  }
  const unseenCount = async (operation: object, input: object, userId: string) =>
    (await mutate<{ unseenCount: number }>(operation, input, userId)).unseenCount
  const newUser = (): MarkingUser => {
    const id = newId('user')
    return {
      id,
      async list(input = {}) {
        const found = await notifications.read(v.parse(notifications.input, input), contextOf(id))
        return {
          ids: found.nodes.map((one) => one.id),
          read: found.nodes.filter(({ isRead }) => isRead).map((one) => one.id),
          totalCount: Number(await countRows(found.totalCount)),
          unreadCount: found.unreadCount,
          endCursor: found.pageInfo.endCursor,
        }
      },
      read: async (which) =>
        (await mutate<{ unreadCount: number }>(markNotificationsRead, { notifications: which }, id)).unreadCount,
      items: async () => (await actionCenter.read(v.parse(actionCenter.input, {}), contextOf(id))).items,
      unseen: async () => (await actionCenter.read(v.parse(actionCenter.input, {}), contextOf(id))).unseenCount,
      see: (itemIds) => unseenCount(markSome, { itemIds }, id),
      seeAll: (kinds) => unseenCount(markAll, { ...(kinds && { kinds }) }, id),
    }
  }
  let published = 0
  const publish = async () => (await make('news', { ...inits.news, cause: `run_1:${++published}:0` })).id
  return { clock, newUser, publish, history, ask }
}

export function userMarksContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: read marks of notifications`, () => {
    it('each user has their own marks, and a repeated mark changes nothing', async (storage) => {
      const { newUser, publish, history } = openWorld(storage)
      const [ada, bob] = [newUser(), newUser()]
      const [first, second, third] = [await publish(), await publish(), await publish()]
      const newestFirst = [third, second, first]
      deepEqual(await ada.list(), {
        ids: newestFirst,
        read: [],
        totalCount: 3,
        unreadCount: 3,
        endCursor: (await bob.list()).endCursor,
      })
      equal(await ada.read({ ids: [second, second] }), 2)
      equal(await ada.read({ ids: [second] }), 2)
      equal((await history({ id: siblingId('readMarks', ada.id) })).length, 2, 'its creation and one mark')
      const { ids, read, unreadCount } = await ada.list()
      deepEqual([ids, read, unreadCount], [newestFirst, [second], 2])
      deepEqual((await ada.list({ unreadOnly: true })).ids, [third, first])
      deepEqual([(await bob.list()).read, (await bob.list()).unreadCount], [[], 3])
    })

    it('all notifications up to one are marked as read, and none that is published later', async (storage) => {
      const { newUser, publish } = openWorld(storage)
      const ada = newUser()
      const [first, second, third] = [await publish(), await publish(), await publish()]
      equal(await ada.read({ ids: [third] }), 2)
      equal(await ada.read({ upTo: second }), 0)
      const fourth = await publish()
      equal(await ada.read({ upTo: first }), 1, 'an earlier notification removes no mark')
      const { read, unreadCount } = await ada.list()
      deepEqual([read, unreadCount], [[third, second, first], 1])
      deepEqual((await ada.list({ unreadOnly: true })).ids, [fourth])
      equal(await ada.read({ upTo: fourth }), 0)
      deepEqual(await storage.views.members(siblingId('readMarks', ada.id), 'read/', 9), [], 'their marks are removed')
    })

    it('a user has no notifications that were published before the user existed', async (storage) => {
      const { clock, newUser, publish } = openWorld(storage)
      const early = await publish()
      clock.leap(1)
      const ada = newUser()
      const [own] = [await publish()]
      deepEqual((await ada.list()).ids, [own])
      await rejects(ada.read({ ids: [own, early] }), { code: 'NOT_FOUND' })
      await rejects(ada.read({ upTo: early }), { code: 'NOT_FOUND' })
      await rejects(ada.read({ ids: [numberedId('news', own, 9)] }), { code: 'NOT_FOUND' })
      equal((await ada.list()).unreadCount, 1)
    })

    it('pages have each notification once, also pages of unread notifications', async (storage) => {
      const { newUser, publish } = openWorld(storage)
      const ada = newUser()
      const all: string[] = []
      for (let number = 0; number < 25; number++) all.unshift(await publish())
      const odd = all.filter((_, index) => index % 2 === 1)
      equal(await ada.read({ ids: odd }), 13)
      const pages = async (unreadOnly: boolean) => {
        const found: string[] = []
        for (let after: string | null = null; ; ) {
          const page = await ada.list({ first: 4, unreadOnly, ...(after && { after }) })
          equal(page.totalCount, unreadOnly ? 13 : 25)
          found.push(...page.ids)
          if (page.ids.length < 4) return found
          after = page.endCursor
        }
      }
      deepEqual(await pages(false), all)
      deepEqual(
        await pages(true),
        all.filter((id) => !odd.includes(id)),
      )
    })
  })

  describe(`${name}: seen marks of the Action Center`, () => {
    const asking = (questionId: string) => ({
      columns: { status: 'WAITING_FOR_INPUT' },
      snapshot: snapshotOf({ question: { id: questionId, answered: false } }),
      init: JSON.stringify({ ...inits.run, title: 'asks' }),
    })

    it('an item stays seen until its cause changes, for its user only', async (storage) => {
      const { newUser } = openWorld(storage)
      const [ada, bob] = [newUser(), newUser()]
      const run = creation('run', asking('q1'))
      await storage.journal.commit([run, creation('run', asking('q1'))], [])
      const [first, other] = await ada.items()
      equal(await ada.see([first?.id ?? '']), 1)
      equal(await ada.see([first?.id ?? '']), 1)
      deepEqual(
        (await ada.items()).map(({ id, isSeen }) => [id, isSeen]),
        [
          [first?.id, true],
          [other?.id, false],
        ],
      )
      deepEqual([await ada.unseen(), await bob.unseen()], [1, 2])

      const busy = nextWrite(run, 'one', { snapshot: asking('q1').snapshot })
      await storage.journal.commit([busy], [])
      equal(await ada.unseen(), 1, 'another transition is not another cause')
      await storage.journal.commit([nextWrite(busy, 'one', { snapshot: asking('q2').snapshot })], [])
      equal(await ada.unseen(), 2)
      notEqual((await ada.items()).find(({ id }) => id.includes(run.ref.id))?.id, first?.id)
      equal(await ada.see([first?.id ?? '']), 2, 'the earlier question is gone')
    })

    it('all current items or those of some kinds are marked as seen, and the marks of items that are gone are removed', async (storage) => {
      const { newUser, history } = openWorld(storage)
      const ada = newUser()
      const marksId = siblingId('seenMarks', ada.id)
      equal(await ada.seeAll(), 0)
      deepEqual(await history({ id: marksId }), [], 'nothing to mark, nothing stored')
      const run = creation('run', asking('q1'))
      const plan = creation('plan', { columns: { status: 'READY' }, snapshot: snapshotOf({ revision: 1 }) })
      await storage.journal.commit([plan, run], [])
      equal(await ada.seeAll(['PLAN_READY']), 1)
      equal(await ada.seeAll(), 0)
      equal((await storage.views.members(marksId, 'seen/', 9)).length, 2)
      const over = { status: 'SUCCEEDED', terminal: true }
      await storage.journal.commit([nextWrite(run, 'one', { columns: over })], [])
      await storage.journal.commit([nextWrite(plan, 'one', { snapshot: snapshotOf({ revision: 2 }) })], [])
      equal(await ada.unseen(), 1, 'another revision of the plan')
      equal(await ada.seeAll(), 0)
      deepEqual(
        (await storage.views.members(marksId, 'seen/', 9)).map(({ key }) => key),
        (await ada.items()).map(({ id }) => `seen/${id}`),
      )
      equal((await history({ id: marksId })).length, 4)
    })
  })
}
