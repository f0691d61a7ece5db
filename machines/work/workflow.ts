/**
 * Steps that are drafted, published and started. The overlap policy decides what happens if it is started while runs of it are active.
 */
import { setup } from 'xstate'
import type { Json } from '../../spec/core/actor.ts'
import { Failure } from '../../spec/core/failure.ts'
import { readDefinition } from '../../spec/work/workflows/storedDefinition.ts'
import { actOn, fanOut, type Outcome } from '../framework/act.ts'
import { define, type MachineContext, type Tell, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import { type ExpectsRevision, edit, type Revised, refuseStale } from '../framework/revision.ts'
import { createRun, type NewRun } from '../runs/newRun.ts'
import { isOver } from '../runs/runActions.ts'
import {
  bufferMax,
  checkOverlap,
  type Ended,
  endAll,
  enter,
  leave,
  type OverlapPolicy,
  type OverlapScope,
  others,
  promote,
  type Started,
} from '../worktrees/overlap.ts'
import type { RunChanged } from './turns.ts'
import { publishedVersionsMax, workflowMembers } from './workflowKeys.ts'

export type WorkflowRules = { readonly overlapPolicy: OverlapPolicy; readonly overlapScope: OverlapScope }

export type WorkflowInit = {
  readonly definition: Json
  readonly rules: WorkflowRules
  readonly createdAt: number
  /** `principalName` of who has created it. Workflows of earlier versions have none. */
  readonly createdBy?: string
}

/** Its revision counts the changes of its draft. */
export interface WorkflowContext extends MachineContext, Revised {
  readonly init: WorkflowInit
  /** The definitions: the draft, the published one and the published versions. overlap.ts defines the others. */
  readonly members: Members
  readonly id: string
  /** The number of publications. 0 before the first one. */
  readonly version: number
  readonly draftRules: WorkflowRules
  readonly rules: WorkflowRules
  /** The number of starts. */
  readonly starts: number
  /** The number of starts whose runs have not asked for their verdict yet. */
  readonly unasked: number
}

type Start = {
  type: 'start'
  at: number
  runId: string
  newRun: NewRun
  worktreeId: string
  above: readonly string[]
  version: number
}
type EndOthers = {
  type: 'endOthers'
  at: number
  /** The run of the later start. */
  runId: string
  number: number
  scope: string
  above: readonly string[]
  how: Ended['how']
  after: string
}

export type WorkflowEvent =
  | Start
  | EndOthers
  | RunChanged
  | ({ type: 'saveDraft'; at: number; definition: Json; rules: WorkflowRules } & ExpectsRevision)
  | ({ type: 'publish'; at: number; by: string } & ExpectsRevision)
  | { type: 'overlapAsked'; at: number; runId: string }
  | { type: 'archive'; at: number }
  | { type: 'unarchive'; at: number }

const on = actOn<WorkflowContext, WorkflowEvent>()

const runs = {
  overlapAsked: { actions: 'answer' },
  runChanged: { guard: 'isOver', actions: 'removeRun' },
  endOthers: { actions: 'endOthers' },
} as const

const machine = setup({
  types: typesOf<WorkflowContext, WorkflowEvent>(),
  guards: {
    isOver: ({ event }) => event.type === 'runChanged' && isOver(event.status),
    someUnasked: ({ context }) => context.unasked > 0,
    noneUnasked: ({ context }) => context.unasked === 0,
    wasPublished: ({ context }) => context.version > 0,
  },
  actions: {
    saveDraft: on('saveDraft', (context, { rules, definition }) =>
      edit(context, { draftRules: rules, members: context.members.with(workflowMembers.draft, definition) }),
    ),
    publish: on('publish', publish),
    start: on('start', start),
    answer: on('overlapAsked', (context, { runId }) => answer(context, runId)),
    removeRun: on('runChanged', removeRun),
    endOthers: on('endOthers', endOthers),
  },
}).createMachine({
  id: 'workflow',
  context: ({ input: { id, init } }) => ({
    init,
    members: Members.empty.with(workflowMembers.draft, init.definition),
    id,
    revision: 1,
    version: 0,
    draftRules: init.rules,
    rules: init.rules,
    starts: 0,
    unasked: 0,
  }),
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'DRAFT',
      states: {
        DRAFT: {
          meta: { label: 'Draft', waitsFor: 'a person to publish it', unbounded: 'a person' },
          on: {
            saveDraft: { actions: 'saveDraft' },
            publish: { target: 'PUBLISHED', actions: 'publish' },
            archive: 'ARCHIVED',
          },
        },
        PUBLISHED: {
          meta: { label: 'Published', waitsFor: 'starts', unbounded: 'a person' },
          on: {
            ...runs,
            saveDraft: { actions: 'saveDraft' },
            publish: { actions: 'publish' },
            start: { actions: 'start' },
            archive: 'ARCHIVED',
          },
        },
        ARCHIVED: {
          meta: { label: 'Archived', unbounded: 'a person unarchives it' },
          on: { unarchive: [{ guard: 'wasPublished', target: 'PUBLISHED' }, { target: 'DRAFT' }] },
        },
      },
    },
    starts: {
      initial: 'KNOWN',
      states: {
        KNOWN: {
          meta: { label: 'Every start has its run' },
          always: { guard: 'someUnasked', target: 'AWAITED' },
        },
        AWAITED: {
          meta: {
            label: 'A start waits for its run',
            waitsFor: 'the run to make itself known',
            unbounded: 'the run, whose creation is repeated until it succeeds',
          },
          always: { guard: 'noneUnasked', target: 'KNOWN' },
        },
      },
    },
  },
})

function publish(
  context: WorkflowContext,
  { at, by }: { readonly at: number; readonly by: string },
): Outcome<WorkflowContext> {
  const version = context.version + 1
  const definition = context.members.get(workflowMembers.draft) ?? null
  const members = context.members
    .with(workflowMembers.published, definition)
    .with(workflowMembers.version(version), { definition, by, at })
    .without(workflowMembers.version(version - publishedVersionsMax))
  return { set: { version, rules: context.draftRules, members } }
}

const toRun = (id: string, event: Tell['event']): Tell => ({ to: { kind: 'run', id }, event })

const scopeOf = ({ rules }: WorkflowContext, worktreeId: string): string =>
  rules.overlapScope === 'GLOBAL' ? 'GLOBAL' : worktreeId

function start(context: WorkflowContext, event: Start): Outcome<WorkflowContext> {
  const { runId, newRun, worktreeId, above, at } = event
  const { overlapPolicy } = context.rules
  const scope = scopeOf(context, worktreeId)
  const verdict = checkOverlap(context.members, overlapPolicy, scope, above)
  if (verdict === 'FULL') return {}
  const number = context.starts + 1
  const started = { number, scope, verdict, above, at, asked: false, ended: null }
  const set = { members: enter(context.members, runId, started), starts: number, unasked: context.unasked + 1 }
  const tell = createRun(runId, newRun)
  if (overlapPolicy !== 'CANCEL_OTHER' && overlapPolicy !== 'TERMINATE_OTHER') return { set, tell }
  const how = overlapPolicy === 'CANCEL_OTHER' ? 'cancel' : 'terminate'
  const others = { type: 'endOthers', at, runId, number, scope, above, how, after: '' } as const
  const ended = endOthers({ ...context, ...set }, others)
  return { set: { ...set, ...ended.set }, tell: [...tell, ...(ended.tell ?? [])] }
}

function endOthers(context: WorkflowContext, event: EndOthers): Outcome<WorkflowContext> {
  const { at: _at, ...rest } = event
  const { ids, last } = others(context.members, event, event.after, fanOut)
  const ended = { how: event.how, by: event.runId }
  const known = ids.filter((id) => (context.members.get(workflowMembers.run.toKey(id)) as Started).asked)
  const tell = known.map((id) => toRun(id, endingOf(ended)))
  if (last !== undefined) tell.push({ to: { kind: 'workflow', id: context.id }, event: { ...rest, after: last } })
  return { set: { members: endAll(context.members, ids, ended) }, tell }
}

const endingOf = ({ how, by }: Ended): Tell['event'] => ({
  type: how,
  code: 'OVERLAP',
  message: `A later run of the workflow, ${by}, took its place.`,
})

function answer(context: WorkflowContext, runId: string): Outcome<WorkflowContext> {
  const started = context.members.get(workflowMembers.run.toKey(runId)) as Started | undefined
  if (started === undefined) return { tell: [skipped(runId, 'The workflow has no such start.')] }
  const unasked = started.asked ? context.unasked : context.unasked - 1
  if (started.verdict === 'SKIP') {
    const message = 'Another run of the workflow is active, and its overlap policy skips this one.'
    return { set: { unasked, members: leave(context.members, runId) }, tell: [skipped(runId, message)] }
  }
  const members = context.members.with(workflowMembers.run.toKey(runId), { ...started, asked: true })
  if (started.ended !== null) return { set: { unasked, members }, tell: [toRun(runId, endingOf(started.ended))] }
  return {
    set: { unasked, members },
    tell: started.verdict === 'READY' ? [toRun(runId, { type: 'overlapReady' })] : [],
  }
}

const skipped = (runId: string, message: string): Tell => toRun(runId, { type: 'overlapSkipped', message })

/** The run has ended. Runs that waited for it may start. */
function removeRun(context: WorkflowContext, { runId }: { readonly runId: string }): Outcome<WorkflowContext> {
  const started = context.members.get(workflowMembers.run.toKey(runId)) as Started | undefined
  if (started === undefined) return {}
  const unasked = started.asked ? context.unasked : context.unasked - 1
  const { members, ready } = promote(leave(context.members, runId), started.scope)
  const tell = ready.flatMap((id) => {
    const { asked, ended } = members.get(workflowMembers.run.toKey(id)) as Started
    return asked && ended === null ? [toRun(id, { type: 'overlapReady' })] : []
  })
  return { set: { members, unasked }, tell }
}

/** The name of a definition and the titles of its steps. */
function titlesOf(
  definition: Json | undefined,
): { readonly name: string; readonly titles: readonly string[] } | undefined {
  if (definition === undefined || definition === null) return undefined
  const { name, steps } = readDefinition(definition)
  return { name, titles: steps.map(({ title }) => title) }
}

export const workflow = define({
  kind: 'workflow',
  version: 1,
  machine,
  effects: ['tell'],
  refuse: ({ context }, event) => {
    const { members, rules, version } = context
    const active = members.first(workflowMembers.run.prefix)
    if (event.type === 'archive' && active !== undefined) {
      return new Failure('FAILED_PRECONDITION', 'The workflow has active runs: cancel them or wait, then archive it.', {
        details: { runId: workflowMembers.run.toId(active[0]) },
      })
    }
    if (event.type === 'saveDraft' || event.type === 'publish') return refuseStale('The draft is', context, event)
    if (event.type !== 'start') return undefined
    if (event.version !== version) {
      return new Failure('CONFLICT', `The workflow was published again: it is at version ${version}.`, {
        details: { version },
      })
    }
    const scope = scopeOf(context, event.worktreeId)
    return checkOverlap(members, rules.overlapPolicy, scope, event.above) === 'FULL'
      ? new Failure('FAILED_PRECONDITION', `${bufferMax} runs of this workflow wait already.`, {
          details: { overlapPolicy: rules.overlapPolicy, waiting: bufferMax },
        })
      : undefined
  },
  search: ({ context: { members } }) => {
    const draft = titlesOf(members.get(workflowMembers.draft))
    const published = titlesOf(members.get(workflowMembers.published))
    const title = published?.name ?? draft?.name ?? ''
    // The titles of its steps only, because commands and prompts may contain confidential data.
    const steps = [...(published?.titles ?? []), ...(draft?.titles ?? [])]
    return { title, text: [...new Set([draft?.name ?? title, ...steps])].filter((name) => name !== title).join(', ') }
  },
  repeats: ({ value: { lifecycle } }, event) =>
    (event.type === 'archive' && lifecycle === 'ARCHIVED') || (event.type === 'unarchive' && lifecycle !== 'ARCHIVED'),
  operable: true,
  operatorEvents: { archive: { label: 'Archive workflow' }, unarchive: { label: 'Unarchive workflow' } },
})
