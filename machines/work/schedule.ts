/**
 * Starts a workflow on a worktree at the times of a cron expression. One start is requested at a time: the next one follows its answer, so
 * firings keep their order. A durable timer waits for the next time, and its transition takes that time off. So each time fires exactly once,
 * in whichever process.
 */
import { setup } from 'xstate'
import type { Json } from '../../spec/core/actor.ts'
import { Failure } from '../../spec/core/failure.ts'
import { nextTimes } from '../../spec/work/schedules/scheduledTimes.ts'
import { notify } from '../devices/notify.ts'
import { act, actOn, type Outcome } from '../framework/act.ts'
import { define, typesOf } from '../framework/define.ts'
import {
  countIncidents,
  type IncidentEvent,
  incidentRegion,
  isGivenUp,
  isLastIncident,
  repeatsIncident,
  type WithIncidents,
} from '../framework/incident.ts'
import { Members } from '../framework/members.ts'
import type { RequestAnswered, RequestRefused } from '../framework/requestOperation.ts'
import { type ExpectsRevision, edit, isStale, type Revised, refuseStale } from '../framework/revision.ts'
import {
  addFirings,
  type Firing,
  type FiringContext,
  type FiringProblem,
  settleFiring,
  waitingMax,
  withoutWaiting,
} from './scheduleFirings.ts'
import {
  type DueTimes,
  listNextTimes,
  nextScheduled,
  type ScheduleContent,
  type ScheduledTime,
  takeDue,
} from './scheduleTimes.ts'

export type ScheduleInit = {
  readonly workflowId: string
  readonly content: ScheduleContent
  readonly createdBy: string
  /** The run whose authority the starts have at most. Absent if a person has created the schedule. */
  readonly restrictedBy?: string
  readonly createdAt: number
}

export interface ScheduleContext extends WithIncidents, Revised, FiringContext {
  readonly init: ScheduleInit
  readonly id: string
  /** The name in `content`, under the key by which operators see the names of all kinds. */
  readonly name: string
  /** The next time. Null after the last one. */
  readonly next: ScheduledTime | null
  /** The next times, the first of them `next`. Empty while the schedule is paused. */
  readonly nextTimes: readonly number[]
  readonly missed: number
  readonly lastMissedAt: number | null
  /** Why the latest firing was refused. Null if it was not, or if a person has edited or paused the schedule since. */
  readonly problem: (FiringProblem & { readonly since: number }) | null
  readonly pauseReason: string | null
  readonly updatedAt: number
}

/** The run that sends an event. Absent if a person does. */
type Restricted = { readonly restrictedBy?: string }
type Update = { type: 'update'; at: number; content: ScheduleContent } & ExpectsRevision & Restricted
type Backfill = { type: 'backfill'; at: number; from: number; to: number } & Restricted

export type ScheduleEvent =
  | Update
  | Backfill
  | RequestAnswered
  | RequestRefused
  | IncidentEvent
  | { type: 'pause'; at: number; pauseReason?: string | null }
  | { type: 'resume'; at: number }
  | ({ type: 'trigger'; at: number } & Restricted)
  | { type: 'delete'; at: number }

const action = act<ScheduleContext, ScheduleEvent, ScheduleEvent>
const on = actOn<ScheduleContext, ScheduleEvent>()

const settled = {
  requestAnswered: 'answered',
  requestRefused: 'refused',
} as const

const givenUp = { guard: 'requestGivenUp', actions: 'givenUp' } as const

const requests = {
  trigger: { actions: 'trigger' },
  backfill: { actions: 'backfill' },
} as const

const machine = setup({
  types: typesOf<ScheduleContext, ScheduleEvent>(),
  delays: {
    next: ({ context, event }) => Math.max(0, (context.next?.dueAt ?? 0) - (event.at ?? context.updatedAt)),
  },
  guards: {
    lastIncident: isLastIncident,
    requestGivenUp: ({ context, event }) => isGivenUp(context, event, 'requestOperation'),
    isRequesting: ({ context }) => context.requested !== null,
    hasNoTime: ({ context }) => context.next === null,
  },
  actions: {
    incidentOpened: countIncidents<ScheduleContext, ScheduleEvent>(1),
    incidentClosed: countIncidents<ScheduleContext, ScheduleEvent>(-1),
    fire: action(({ context, event: { at } }) => fire(context, at)),
    trigger: on('trigger', (context, event) =>
      addFirings(context, [{ scheduledAt: event.at, cause: 'TRIGGER', ...restrictionOf(event) }], event.at),
    ),
    backfill: on('backfill', (context, event) =>
      addFirings(
        context,
        timesBetween(context.content, event).map((scheduledAt) => ({
          ...{ scheduledAt, cause: 'BACKFILL' as const },
          ...restrictionOf(event),
        })),
        event.at,
      ),
    ),
    answered: on('requestAnswered', (context, { at, request, answer }) => {
      const { id = null } = (answer.run ?? {}) as { readonly id?: string }
      return isRequested(context, request) ? settle(context, at, { runId: id }) : {}
    }),
    refused: on('requestRefused', (context, { at, request, code, message }) =>
      isRequested(context, request) ? refuse(context, at, { code, message }) : {},
    ),
    givenUp: on('effectGivenUp', (context, { at }) =>
      settle(context, at, { problem: { code: 'GIVEN_UP', message: 'An operator gave up the start of the workflow.' } }),
    ),
    update: on('update', update),
    updatePaused: on('update', (context, event) => edit(context, edited(event))),
    // An operator's event has no reason in its payload. The journal has it.
    pause: on('pause', (_, { pauseReason = null }) => ({
      set: { pauseReason, problem: null, next: null, nextTimes: [] },
    })),
    resume: on('resume', (context, { at }) => ({
      set: { pauseReason: null, ...timesAfter(context, context.content, at) },
    })),
    end: action(({ context }) => ({
      set: { next: null, nextTimes: [], problem: null, members: withoutWaiting(context), waiting: 0 },
    })),
  },
}).createMachine({
  id: 'schedule',
  context: ({ input: { id, init, at } }) => {
    const { content } = init
    const next = nextScheduled(id, content, at)
    const { restrictedBy = null } = init
    return {
      ...{
        init,
        id,
        content,
        name: content.name,
        next,
        nextTimes: listNextTimes(content, at),
        revision: 1,
        updatedAt: at,
        restrictedBy,
      },
      ...{ members: Members.empty, incidents: 0, fired: 0, added: 0, waiting: 0, requested: null },
      ...{ missed: 0, lastMissedAt: null, lastFiring: null, problem: null, pauseReason: null },
    }
  },
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'ACTIVE',
      states: {
        ACTIVE: {
          initial: 'WAITING',
          on: {
            ...requests,
            update: { target: 'ACTIVE', reenter: true, actions: 'update' },
            pause: { target: 'PAUSED', actions: 'pause' },
            delete: { target: 'DELETED', actions: 'end' },
            requestAnswered: { target: '.WAITING', actions: settled.requestAnswered },
            requestRefused: { target: '.WAITING', actions: settled.requestRefused },
            effectGivenUp: { target: '.WAITING', ...givenUp },
          },
          states: {
            WAITING: {
              meta: { label: 'Waiting for the next time' },
              always: [
                { guard: 'isRequesting', target: 'STARTING' },
                { guard: 'hasNoTime', target: 'EXHAUSTED' },
              ],
              after: { next: { target: 'WAITING', reenter: true, actions: 'fire' } },
              on: {
                trigger: { target: 'STARTING', actions: 'trigger' },
                backfill: { target: 'STARTING', actions: 'backfill' },
              },
            },
            STARTING: {
              meta: {
                label: 'Starting the workflow',
                waitsFor: 'the answer to the request of a run',
                unbounded: 'the request for the run, or an operator if it has no answer for about an hour',
              },
            },
            EXHAUSTED: {
              meta: { label: 'No more times', waitsFor: 'a person to change its times', unbounded: 'a person' },
              on: {
                trigger: { target: 'STARTING', actions: 'trigger' },
                backfill: { target: 'STARTING', actions: 'backfill' },
              },
            },
          },
        },
        PAUSED: {
          meta: { label: 'Paused', waitsFor: 'a person to resume it', unbounded: 'a person' },
          on: {
            ...requests,
            update: { actions: 'updatePaused' },
            pause: { actions: 'pause' },
            resume: { target: 'ACTIVE', actions: 'resume' },
            delete: { target: 'DELETED', actions: 'end' },
            requestAnswered: { actions: settled.requestAnswered },
            requestRefused: { actions: settled.requestRefused },
            effectGivenUp: givenUp,
          },
        },
        DELETED: { tags: 'terminal', meta: { label: 'Deleted' } },
      },
    },
    incident: incidentRegion,
  },
})

/** Takes the next time if it has come, and those that are missed. */
function fire(context: ScheduleContext, at: number): Outcome<ScheduleContext> {
  const { id, content, next } = context
  return addDue(context, takeDue(id, content, next, at, 1), at)
}

function addDue(context: ScheduleContext, taken: DueTimes, at: number): Outcome<ScheduleContext> {
  const { due, missed, lastMissedAt, next } = taken
  const firings = due.map(({ scheduledAt }) => ({ scheduledAt, cause: 'SCHEDULE' as const }))
  const outcome = addFirings(context, firings, at)
  const set = {
    ...outcome.set,
    next,
    nextTimes: next === null ? [] : listNextTimes(context.content, next.scheduledAt - 1),
    missed: context.missed + missed,
    lastMissedAt: lastMissedAt ?? context.lastMissedAt,
  }
  return { ...outcome, set }
}

function isRequested({ requested }: ScheduleContext, request: Json): boolean {
  return requested !== null && (request as { readonly number?: number } | null)?.number === requested.number
}

function settle(
  context: ScheduleContext,
  at: number,
  result: Partial<Pick<Firing, 'runId' | 'problem'>>,
): Outcome<ScheduleContext> {
  const outcome = settleFiring(context, result, at)
  // The first refusal after a success counts, so that the order of the items stays.
  const problem = result.problem ? { ...result.problem, since: context.problem?.since ?? at } : null
  return { ...outcome, set: { ...outcome.set, problem } }
}

/** Users are notified of the first refusal after a success. */
function refuse(context: ScheduleContext, at: number, problem: FiringProblem): Outcome<ScheduleContext> {
  const outcome = settle(context, at, { problem })
  if (context.problem !== null) return outcome
  const { name } = context.content
  const news = notify({ reason: 'ACTION_NEEDED', item: 'SCHEDULE_REFUSED', at, name })
  return { ...outcome, effects: [...(outcome.effects ?? []), news] }
}

/** The first times of the content after `at`. */
function timesAfter({ id }: ScheduleContext, content: ScheduleContent, at: number) {
  return { next: nextScheduled(id, content, at), nextTimes: listNextTimes(content, at) }
}

/** The times that have come by the present content, also if their jitter has not passed. They fire before an edit takes effect. */
function takePassed({ id, content, next, waiting }: ScheduleContext, at: number): DueTimes {
  const { jitterSeconds, catchUpWindowSeconds } = content
  const withoutJitter = { ...content, jitterSeconds: 0, catchUpWindowSeconds: catchUpWindowSeconds + jitterSeconds }
  return takeDue(id, withoutJitter, next && { ...next, dueAt: next.scheduledAt }, at, waitingMax - waiting)
}

const edited = ({ content, at, restrictedBy }: Update) => ({
  ...{ content, name: content.name, updatedAt: at, restrictedBy: restrictedBy ?? null },
  problem: null,
})

const restrictionOf = ({ restrictedBy }: Restricted): Restricted => (restrictedBy === undefined ? {} : { restrictedBy })

function update(context: ScheduleContext, event: Update): Outcome<ScheduleContext> {
  const { content, at } = event
  const changes = edited(event)
  if (hasSameTimes(context.content, content)) return edit(context, changes)
  const passed = addDue(context, takePassed(context, at), at)
  return { ...passed, ...edit(context, { ...passed.set, ...changes, ...timesAfter(context, content, at) }) }
}

function hasSameTimes(a: ScheduleContent, b: ScheduleContent): boolean {
  return (['cron', 'timeZone', 'startAt', 'endAt', 'jitterSeconds'] as const).every((key) => a[key] === b[key])
}

/** The times of a backfill, and one more than are allowed. */
function timesBetween(content: ScheduleContent, { from, to }: Backfill): readonly number[] {
  const endAt = Math.min(to, content.endAt ?? to)
  return nextTimes({ ...content, endAt }, from - 1, waitingMax + 1)
}

function refuseBackfill({ content, waiting }: ScheduleContext, event: Backfill): Failure | undefined {
  const wrong = (field: string, problem: string) =>
    new Failure('BAD_USER_INPUT', `${field}: ${problem}`, { details: { field, problem } })
  if (event.from > event.to) return wrong('from', 'must not be after `to`.')
  if (event.to > event.at) return wrong('to', 'must not be in the future. A backfill is for times that have passed.')
  const count = timesBetween(content, event).length
  if (count === 0) return wrong('from', 'the schedule has no time between `from` and `to`. Choose a longer interval.')
  if (count > waitingMax)
    return wrong(
      'to',
      `the schedule has more than ${waitingMax} times between \`from\` and \`to\`. Choose a shorter interval.`,
    )
  return waiting + count > waitingMax ? refuseWaiting(waiting) : undefined
}

function refuseWaiting(waiting: number): Failure {
  return new Failure(
    'FAILED_PRECONDITION',
    `${waiting} firings of the schedule wait already, and at most ${waitingMax} can wait. Try again when they have started.`,
    { details: { waiting, waitingMax } },
  )
}

/** More times may have come than can wait if no run could be started for long. */
function refuseUpdate(context: ScheduleContext, event: Update): Failure | undefined {
  const stale = refuseStale('The schedule is', context, event)
  if (stale !== undefined || hasSameTimes(context.content, event.content)) return stale
  const { next } = takePassed(context, event.at)
  return next !== null && next.dueAt <= event.at ? refuseWaiting(context.waiting) : undefined
}

export const schedule = define({
  kind: 'schedule',
  version: 1,
  machine,
  effects: ['requestOperation', 'notify'],
  columns: ({ context: { init, content, problem } }) => ({
    scopeId: init.workflowId,
    worktreeId: content.worktreeId,
    // The Action Center lists schedules with a problem in this order.
    sortAt: problem?.since,
  }),
  refuse: ({ context }, event) => {
    switch (event.type) {
      case 'update':
        return refuseUpdate(context, event)
      case 'backfill':
        return refuseBackfill(context, event)
      case 'trigger':
        return context.waiting >= waitingMax ? refuseWaiting(context.waiting) : undefined
      default:
        return undefined
    }
  },
  search: ({ value, context: { content } }) =>
    isIn(value, 'DELETED') ? undefined : { title: content.name, text: `${content.cron} ${content.timeZone}` },
  repeats: ({ value, context }, event) => {
    switch (event.type) {
      case 'update':
        return !isIn(value, 'DELETED') && !isStale(context, event) && changesNothing(context, event)
      case 'pause':
        return isIn(value, 'PAUSED') && context.pauseReason === (event.pauseReason ?? null)
      case 'resume':
        return isIn(value, 'ACTIVE')
      case 'delete':
        return isIn(value, 'DELETED')
      default:
        return repeatsIncident(context, event)
    }
  },
  operable: true,
  operatorEvents: { pause: { label: 'Pause schedule' }, resume: { label: 'Resume schedule' } },
})

function isIn(value: unknown, state: 'ACTIVE' | 'PAUSED' | 'DELETED'): boolean {
  const { lifecycle } = value as { readonly lifecycle: string | Readonly<Record<string, unknown>> }
  return typeof lifecycle === 'string' ? lifecycle === state : state in lifecycle
}

/** A person who saves the content that a run has written makes it their own. */
function changesNothing({ content, restrictedBy }: ScheduleContext, event: Update): boolean {
  const takesOver = typeof restrictedBy === 'string' && event.restrictedBy === undefined
  return !takesOver && isSameContent(content, event.content)
}

function isSameContent(a: ScheduleContent, b: ScheduleContent): boolean {
  return (
    hasSameTimes(a, b) &&
    (['name', 'worktreeId', 'catchUpWindowSeconds'] as const).every((key) => a[key] === b[key]) &&
    sortedInputs(a) === sortedInputs(b)
  )
}

/** In a fixed order, because storage does not keep the order of keys. */
const sortedInputs = ({ inputs }: ScheduleContent): string => JSON.stringify(Object.entries(inputs).sort())
