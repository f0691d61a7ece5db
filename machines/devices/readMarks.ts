/**
 * The notifications that one user has read: all up to one of them (`readUpTo`), and each later one that was marked by itself, as a member. Only
 * the user reads and changes it. Its ID is that of the user with another prefix.
 */
import { setup } from 'xstate'
import { Failure } from '../../spec/core/failure.ts'
import { firstIdAt } from '../../spec/core/ids.ts'
import { purgeRuleOf } from '../../spec/core/kinds.ts'
import { readMarksMax } from '../../spec/devices/notifications.ts'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import { readMarkMembers } from './readMarkKeys.ts'

export type ReadMarksInit = { readonly userId: string; readonly createdAt: number }

export interface ReadMarksContext extends MachineContext {
  readonly init: ReadMarksInit
  readonly members: Members
  /** The newest notification of those that were marked together with all before it. */
  readonly readUpTo: string | null
}

export type ReadMarksEvent =
  | { type: 'read'; at: number; newsIds: readonly string[] }
  | { type: 'readUpTo'; at: number; newsId: string }

const dayMs = 86_400_000
/** A day longer than news is kept, because news is purged some time after its bound. */
const keptMs = (purgeRuleOf('news').days + 1) * dayMs

const isRead = ({ members, readUpTo }: ReadMarksContext, newsId: string): boolean =>
  newsId <= (readUpTo ?? '') || members.has(readMarkMembers.toKey(newsId))

/** Removes the marks that have no meaning any more: those up to `readUpTo`, and those of news that has been purged. */
function withoutOld(members: Members, readUpTo: string, at: number): Members {
  const purged = firstIdAt('news', at - keptMs)
  const old: string[] = []
  for (const [key] of members.range(readMarkMembers.prefix)) {
    const newsId = readMarkMembers.toId(key)
    if (newsId > readUpTo && newsId >= purged) break
    old.push(key)
  }
  return members.withoutAll(old)
}

function withRead(context: ReadMarksContext, newsIds: readonly string[], at: number): Members {
  const unread = newsIds.filter((newsId) => !isRead(context, newsId))
  const added = unread.map((newsId) => [readMarkMembers.toKey(newsId), true] as const)
  return withoutOld(context.members, context.readUpTo ?? '', at).withAll(added)
}

const on = actOn<ReadMarksContext, ReadMarksEvent>()

const machine = setup({
  types: typesOf<ReadMarksContext, ReadMarksEvent>(),
  actions: {
    read: on('read', (context, { newsIds, at }) => ({ set: { members: withRead(context, newsIds, at) } })),
    readUpTo: on('readUpTo', ({ members }, { newsId, at }) => ({
      set: { readUpTo: newsId, members: withoutOld(members, newsId, at) },
    })),
  },
}).createMachine({
  id: 'readMarks',
  context: ({ input: { init } }) => ({ init, members: Members.empty, readUpTo: null }),
  initial: 'OPEN',
  states: {
    OPEN: {
      meta: { label: 'Open', waitsFor: 'its user to read notifications', unbounded: 'the marks of a user have no end' },
      on: { read: { actions: 'read' }, readUpTo: { actions: 'readUpTo' } },
    },
  },
})

export const readMarks = define({
  kind: 'readMarks',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ context: { init } }) => ({ scopeId: init.userId }),
  refuse: ({ context }, event) =>
    event.type === 'read' && withRead(context, event.newsIds, event.at).size > readMarksMax
      ? new Failure(
          'FAILED_PRECONDITION',
          `You have ${context.members.size} notifications that you marked as read one by one. The most are ${readMarksMax}. ` +
            'Mark all notifications up to one of them as read, with `upTo`.',
          { details: { limit: readMarksMax } },
        )
      : undefined,
  repeats: ({ context }, event) =>
    event.type === 'read'
      ? event.newsIds.every((newsId) => isRead(context, newsId))
      : event.newsId <= (context.readUpTo ?? ''),
  operable: false,
})
