/**
 * One piece of news for one device, sent through Apple's push service. The effect `notify` of the actor that the news is about creates it.
 * Its own effect `push` sends it to Apple and reports the result of each attempt: accepted, refused, or when to try again.
 */
import { setup } from 'xstate'
import { type BackOffPolicy, backOffMs } from '../../spec/core/backOff.ts'
import { type News, newsLifetimeMs } from '../../spec/devices/news.ts'
import { act, actOn } from '../framework/act.ts'
import { define, typesOf } from '../framework/define.ts'
import {
  countIncidents,
  type IncidentEvent,
  incidentRegion,
  isLastIncident,
  repeatsIncident,
  type WithIncidents,
} from '../framework/incident.ts'
import { Members } from '../framework/members.ts'

const retryPolicy: BackOffPolicy = { firstMs: 1_000, factor: 2, mostMs: 300_000, jitter: 0 }
/** With the pauses of this policy, they take an hour. */
export const pushAttempts = 20

export type NotificationInit = {
  readonly deviceId: string
  /** The notification that users see. Push notifications of earlier versions have none. */
  readonly newsId?: string
  readonly subject: { readonly kind: string; readonly id: string }
  readonly news: News
  /** The name of the agent, if the news is about work on an agent. */
  readonly agent: string | null
  readonly createdAt: number
}

export interface NotificationContext extends WithIncidents {
  readonly init: NotificationInit
  readonly id: string
  readonly attempts: number
  /** The pause until the next attempt, ms. */
  readonly pauseMs: number
  /** The last reason that Apple gave, or the last connection error. */
  readonly reason: string | null
}

type PushAnswer =
  | { type: 'sent'; at: number }
  /** `gone`: the registration whose token Apple does not accept any more, or that this server can't decrypt. */
  | { type: 'pushRefused'; at: number; reason: string; gone: number | null }
  | { type: 'pushDeferred'; at: number; reason: string; retryAfterMs: number | null }

export type NotificationEvent = PushAnswer | IncidentEvent

const action = act<NotificationContext, NotificationEvent, NotificationEvent>
const on = actOn<NotificationContext, NotificationEvent>()

const machine = setup({
  types: typesOf<NotificationContext, NotificationEvent>(),
  delays: { pause: ({ context }) => context.pauseMs },
  guards: {
    lastIncident: isLastIncident,
    wasLast: ({ context }) => context.attempts >= pushAttempts,
  },
  actions: {
    incidentOpened: countIncidents(1),
    incidentClosed: countIncidents(-1),
    handOver: action(({ context }) => ({
      set: { attempts: context.attempts + 1 },
      effects: [{ type: 'push', params: { attempt: context.attempts + 1 } }],
    })),
    noteRefused: on('pushRefused', ({ init }, { reason, gone }) => ({
      set: { reason },
      tell:
        gone === null
          ? []
          : [
              {
                to: { kind: 'notificationDevice', id: init.deviceId },
                event: { type: 'tokenGone', revision: gone, reason },
              },
            ],
    })),
    noteDeferred: on('pushDeferred', ({ attempts }, { reason, retryAfterMs }) => ({
      set: { reason, pauseMs: Math.max(retryAfterMs ?? 0, backOffMs(retryPolicy, attempts)) },
    })),
    noteSent: action(() => ({ set: { reason: null } })),
  },
}).createMachine({
  id: 'notification',
  context: ({ input: { id, init } }) => ({
    init,
    members: Members.empty,
    id,
    attempts: 0,
    pauseMs: 0,
    reason: null,
    incidents: 0,
  }),
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'PENDING',
      states: {
        PENDING: {
          initial: 'SENDING',
          meta: { label: 'On its way' },
          after: { [newsLifetimeMs]: 'DEAD' },
          states: {
            SENDING: {
              meta: { label: 'Being handed to Apple', waitsFor: 'Apple’s answer' },
              entry: 'handOver',
              on: {
                sent: { target: '#notification.lifecycle.SENT', actions: 'noteSent' },
                pushRefused: { target: '#notification.lifecycle.FAILED', actions: 'noteRefused' },
                pushDeferred: [
                  { guard: 'wasLast', target: '#notification.lifecycle.DEAD', actions: 'noteDeferred' },
                  { target: 'RESTING', actions: 'noteDeferred' },
                ],
              },
            },
            RESTING: {
              meta: { label: 'Between attempts', waitsFor: 'the next attempt' },
              after: { pause: 'SENDING' },
            },
          },
        },
        SENT: { tags: 'terminal', meta: { label: 'Accepted by Apple' } },
        FAILED: { tags: 'terminal', meta: { label: 'Refused by Apple' } },
        DEAD: { tags: 'terminal', meta: { label: 'Given up' } },
      },
    },
    incident: incidentRegion,
  },
})

export const notification = define({
  kind: 'notification',
  version: 1,
  machine,
  effects: ['tell', 'push'],
  columns: ({ value: { lifecycle }, context: { init } }) => ({
    scopeId: init.deviceId,
    phase: typeof lifecycle === 'string' ? undefined : lifecycle.PENDING,
  }),
  repeats: ({ context }, event) => repeatsIncident(context, event),
  operable: true,
  operatorStates: ['FAILED', 'DEAD'],
})
