/**
 * A build that a push requests. The delivery of the push creates one for each build configuration that builds the branch. It requests the
 * build exactly once, and keeps the outcome.
 */
import { setup } from 'xstate'
import type { Json } from '../../spec/core/actor.ts'
import type { Problem } from '../agents/jobActions.ts'
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
import { type RequestAnswered, type RequestRefused, requestOperation } from '../framework/requestOperation.ts'

/** A build that does not exist after this time counts as stuck, ms. */
const startingMs = 60_000

export type PushBuildInit = {
  readonly deliveryId: string
  readonly integrationId: string
  readonly buildConfigurationId: string
  readonly worktreeId: string
  readonly branch: string
  readonly commit: string
  readonly createdAt: number
}

export interface PushBuildContext extends WithIncidents {
  readonly init: PushBuildInit
  readonly members: Members
  readonly id: string
  readonly buildId: string | null
  readonly problem: Problem | null
}

type AnyEvent = RequestAnswered | RequestRefused | IncidentEvent
const action = act<PushBuildContext, AnyEvent, AnyEvent>
const on = actOn<PushBuildContext, AnyEvent>()

const machine = setup({
  types: typesOf<PushBuildContext, AnyEvent>(),
  guards: {
    lastIncident: isLastIncident,
    requestGivenUp: ({ context, event }) => isGivenUp(context, event, 'requestOperation'),
  },
  actions: {
    incidentOpened: countIncidents(1),
    incidentClosed: countIncidents(-1),
    request: action(({ context: { init } }) => {
      const { buildConfigurationId, worktreeId, commit, integrationId, createdAt } = init
      const input = { buildConfigurationId, worktreeId, commit }
      return {
        effects: [
          requestOperation({ operation: 'startBuild', input, as: integrationId, request: null, at: createdAt }),
        ],
      }
    }),
    takeBuild: on('requestAnswered', (_, { answer }) => ({ set: { buildId: idOfBuild(answer) } })),
    noteRefusal: on('requestRefused', (context, { at, code, message }) => refusal(context, at, { code, message })),
    // No notification: an operator did it.
    noteGivenUp: action(() => ({
      set: { problem: { code: 'GIVEN_UP', message: 'An operator gave up the request for the build.' } },
    })),
  },
}).createMachine({
  id: 'pushBuild',
  context: ({ input: { id, init } }) => ({
    init,
    members: Members.empty,
    id,
    buildId: null,
    problem: null,
    incidents: 0,
  }),
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'STARTING',
      states: {
        STARTING: {
          entry: 'request',
          meta: {
            label: 'Starting',
            waitsFor: 'its build to be created',
            expected: startingMs,
            unbounded: 'the request for the build, or an operator if it has no answer for about an hour',
          },
          on: {
            requestAnswered: { target: 'STARTED', actions: 'takeBuild' },
            requestRefused: { target: 'REFUSED', actions: 'noteRefusal' },
            effectGivenUp: { guard: 'requestGivenUp', target: 'REFUSED', actions: 'noteGivenUp' },
          },
        },
        STARTED: { tags: 'terminal', meta: { label: 'Started' } },
        REFUSED: { tags: 'terminal', meta: { label: 'Refused' } },
      },
    },
    incident: incidentRegion,
  },
})

function refusal({ init }: PushBuildContext, at: number, problem: Problem): Outcome<PushBuildContext> {
  return {
    set: { problem },
    effects: [notify({ reason: 'ACTION_NEEDED', item: 'PUSH_REFUSED', at, name: init.branch })],
  }
}

function idOfBuild(answer: Json): string | null {
  const { build } = Object(answer) as { readonly build?: { readonly id: string } }
  return build?.id ?? null
}

export const pushBuild = define({
  kind: 'pushBuild',
  version: 1,
  machine,
  effects: ['requestOperation', 'notify'],
  columns: ({ context: { init } }) => ({ scopeId: init.buildConfigurationId, worktreeId: init.worktreeId }),
  repeats: ({ value: { lifecycle }, context }, event) => {
    if (event.type === 'requestAnswered') return lifecycle === 'STARTED'
    if (event.type === 'requestRefused') return lifecycle === 'REFUSED'
    return repeatsIncident(context, event)
  },
  operable: true,
  operatorStates: ['REFUSED'],
})
