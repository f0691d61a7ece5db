/** The properties of every operator action: it does what its preview showed, or the actor had changed and the action does nothing. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { machines } from '../../../machines/machines.ts'
import type { ActorRow, JournalEntry, Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { type ActorKind, actorKinds } from '../../../spec/core/ids.ts'
import type { OperatorAction } from '../../../spec/operators/operatorAction.ts'
import { kindOf, type OperatorActionWorld, openOperatorActionWorld } from './operatorActionWorld.ts'

export interface Tally {
  worlds: number
  steps: number
  nothing: number
  refused: number
  /** The actor had changed. */
  overtaken: number
  bulk: number
  forced: number
  retried: number
  givenUp: number
  /** On identity kinds and terminal actors. */
  closed: number
}

type Beat =
  | { readonly type: 'say'; readonly actor: number; readonly pick: number }
  | { readonly type: 'wait'; readonly ms: number }

type ScriptStep =
  | Beat
  | {
      readonly type: 'action'
      readonly actors: readonly number[]
      readonly pick: number
      readonly meanwhile: readonly Beat[]
      /** Repeats the same action, with a new preview. */
      readonly again: boolean
    }

interface Script {
  readonly alone: boolean
  readonly kinds: readonly ActorKind[]
  readonly script: readonly ScriptStep[]
}

const beat: fc.Arbitrary<Beat> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('say' as const), actor: fc.nat(9), pick: fc.nat(99) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 1_000, 20_000, 20_000, 600_000),
    }),
  },
)

const operatorAction: fc.Arbitrary<ScriptStep> = fc.record({
  type: fc.constant('action' as const),
  actors: fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 3 }),
  pick: fc.nat(999),
  again: fc.boolean(),
  meanwhile: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(beat, { maxLength: 2 }) },
  ),
})

const withEffects = actorKinds.filter((kind) => machines[kind].effects.some((type) => type !== 'tell'))
const kind = fc.oneof(fc.constantFrom(...actorKinds), fc.constantFrom(...withEffects))

const scripts: fc.Arbitrary<Script> = fc.record({
  alone: fc.boolean(),
  kinds: fc.array(kind, { minLength: 1, maxLength: 3 }),
  script: fc.array(fc.oneof({ weight: 3, arbitrary: beat }, { weight: 2, arbitrary: operatorAction }), {
    minLength: 4,
    maxLength: 20,
  }),
})

/** The device has the time of the preview in its context already, and the transition sets it to a later one. */
const previewedAtOnce: Script = {
  alone: true,
  kinds: ['device'],
  script: [
    { type: 'say', actor: 0, pick: 0 },
    { type: 'action', actors: [0], pick: 0, meanwhile: [{ type: 'wait', ms: 1 }], again: false },
  ],
}

/** @throws with the smallest script that fast-check finds, and the seed that reproduces it */
export async function checkOperatorActions({ runs, seed }: { runs: number; seed?: number }): Promise<Tally> {
  const tally: Tally = {
    worlds: 0,
    steps: 0,
    nothing: 0,
    refused: 0,
    overtaken: 0,
    bulk: 0,
    forced: 0,
    retried: 0,
    givenUp: 0,
    closed: 0,
  }
  await fc.assert(
    fc.asyncProperty(scripts, (script) => play(script, tally)),
    { numRuns: runs, examples: [[previewedAtOnce]], ...(seed === undefined ? {} : { seed }) },
  )
  return tally
}

async function play({ alone, kinds, script }: Script, tally: Tally): Promise<void> {
  const world = openOperatorActionWorld(alone)
  try {
    tally.worlds++
    const ids: string[] = []
    for (const kind of kinds) {
      const id = await world.make(kind)
      if (id !== undefined) ids.push(id)
    }
    const named = (index: number): string => ids[index % ids.length] ?? ''
    const beats = async (list: readonly Beat[]) => {
      for (const one of list) {
        if (one.type === 'wait') await world.wait(one.ms)
        else await world.say(named(one.actor), one.pick)
      }
    }
    for (const step of script) {
      if (step.type !== 'action') await beats([step])
      else {
        const ids = [...new Set(step.actors.map(named))]
        const chosen = await choice(world, ids[0] ?? '', step.pick)
        await performChecked(world, ids, chosen, () => beats(step.meanwhile), tally)
        if (step.again) await performChecked(world, ids, chosen, () => Promise.resolve(), tally)
      }
    }
    assert.deepEqual(world.problems, [], 'the runtime reported an error')
  } finally {
    await world.stop()
  }
}

interface Preview {
  readonly id: string
  readonly sequence: number
  readonly outcome: 'TRANSITION' | 'NOTHING' | 'REFUSED'
  readonly problem: { readonly code: string; readonly message: string } | null
  readonly from: Json
  readonly to: Json
  readonly statusBefore: string
  readonly statusAfter: string
  readonly terminal: boolean
  readonly change: Readonly<Record<string, Json>>
  readonly timersSet: readonly { readonly event: string; readonly afterMs: number; readonly due: string }[]
  readonly timersCanceled: readonly string[]
  readonly effects: readonly string[]
  readonly tells: readonly { readonly id: string }[]
  readonly moreTells: number
}

interface Outcome {
  readonly sequence?: number
  readonly code?: string
  readonly message?: string
}

const reason = 'the actor is stuck'

async function performChecked(
  world: OperatorActionWorld,
  ids: readonly string[],
  chosen: OperatorAction,
  meanwhile: () => Promise<void>,
  tally: Tally,
): Promise<void> {
  const actions = await Promise.all(
    ids.map(async (id, index) =>
      index > 0 && 'effectId' in chosen ? { ...chosen, effectId: (await world.failed(id))[0] ?? `${id}:1:0` } : chosen,
    ),
  )
  const targets = ids.map((id, index) => ({ id, action: toInput(actions[index] ?? chosen) }))
  const previewedAt = world.now()
  const previews = await world.ask<Preview[]>('previewOperatorAction', { targets })
  const failed = () => Promise.all(ids.map((id) => world.failed(id)))
  const failedThen = await failed()
  await meanwhile()
  const failedNow = await failed()
  const before = await Promise.all(ids.map((id) => world.row(id)))
  const outcomes = await perform(world, targets, previews)
  if (ids.length > 1) tally.bulk++
  for (const [index, preview] of previews.entries()) {
    const row = before[index]
    const [outcome, action] = [outcomes[index], actions[index]]
    assert.ok(row && outcome && action)
    const entry = (await world.steps(row.id)).find(({ seq }) => seq === row.seq + 1)
    const shown = `${JSON.stringify(action)} on ${row.kind} ${JSON.stringify(row.value)}`
    if (isClosed(row.id, row.columns.terminal, action)) {
      tally.closed++
      assert.ok(outcome.code !== undefined, `${shown}: was accepted`)
      if (!machines[kindOf(row.id)].operable && outcome.code !== 'CONFLICT')
        assert.match(outcome.message ?? '', /accept no operator actions/, shown)
    }
    // A failed effect of a terminal actor changes only the effect.
    const effect = 'effectId' in action ? action.effectId : ''
    if (failedThen[index]?.includes(effect) !== failedNow[index]?.includes(effect)) continue
    // A timer that is due, or a message of another actor, may be processed before the requested action.
    const other = entry !== undefined && entry.cause.type !== 'operator' && outcome.code === 'CONFLICT'
    if (row.seq !== preview.sequence || other) {
      tally.overtaken++
      assert.equal(outcome.code, 'CONFLICT', `${shown}: was not rejected although the actor had changed`)
      assert.notEqual(entry?.cause.type, 'operator', `${shown}: left a trace`)
    } else if (preview.outcome === 'TRANSITION')
      await stepped(world, preview, outcome, entry, {
        shown,
        type: action.type,
        effect,
        tally,
        previewedAt,
        before: row,
      })
    else if (preview.outcome === 'NOTHING') {
      tally.nothing++
      assert.deepEqual(outcome, { sequence: row.seq }, shown)
    } else {
      tally.refused++
      assert.deepEqual(outcome, preview.problem, shown)
      assert.notEqual(entry?.cause.type, 'operator', `${shown}: left a trace`)
    }
  }
}

/** Identity kinds accept no operator actions. Terminal actors accept only decisions on their failed effects. */
function isClosed(id: string, terminal: boolean, { type }: OperatorAction): boolean {
  const { operable } = machines[kindOf(id)]
  return !operable || (terminal && (type === 'SEND_EVENT' || type === 'FORCE_TRANSITION'))
}

interface About {
  readonly shown: string
  readonly type: OperatorAction['type']
  readonly effect: string
  readonly tally: Tally
  readonly previewedAt: number
  readonly before: ActorRow
}

async function stepped(
  world: OperatorActionWorld,
  preview: Preview,
  outcome: Outcome,
  entry: JournalEntry | undefined,
  { shown, type, effect, tally, previewedAt, before }: About,
): Promise<void> {
  assert.deepEqual(outcome, { sequence: preview.sequence + 1 }, shown)
  assert.ok(entry, `${shown}: the journal has no transition`)
  // A time in the context that is that of the preview does not change in the preview. It changes in a later transition.
  const isTimeOfPreview = (key: string) => before.context[key] === previewedAt && entry.change[key] === entry.at
  const own = entry.effects.filter(({ to }) => to === undefined).map(({ type }) => type)
  const tells = entry.effects.flatMap(({ to }) => to ?? [])
  assert.deepEqual(
    {
      from: entry.from,
      to: entry.to,
      status: entry.status,
      changed: Object.keys(entry.change)
        .filter((key) => key in preview.change || !isTimeOfPreview(key))
        .sort(),
      timers: entry.timers.set.map(({ event }) => event),
      canceled: entry.timers.canceled,
      effects: own,
      tells: tells.slice(0, 20),
      more: Math.max(0, tells.length - 20),
    },
    {
      from: preview.from,
      to: preview.to,
      status: preview.statusAfter,
      changed: Object.keys(preview.change).sort(),
      timers: preview.timersSet.map(({ event }) => event),
      canceled: preview.timersCanceled,
      effects: preview.effects,
      tells: preview.tells.map(({ id }) => id),
      more: preview.moreTells,
    },
    `${shown}: differs from the preview`,
  )
  for (const [index, { event, due }] of entry.timers.set.entries()) {
    const previewed = preview.timersSet[index]
    // Some timers have a duration from the transition on, and some fire at a fixed time.
    const same = due - entry.at === previewed?.afterMs || due === Date.parse(previewed?.due ?? '')
    assert.ok(same, `${shown}: ${event} is due after ${due - entry.at} ms, not ${previewed?.afterMs}`)
  }
  assert.deepEqual([entry.cause.type, entry.cause.reason], ['operator', reason], shown)
  assert.match(entry.principal, /usr_/, shown)
  tally.steps++
  if (type === 'FORCE_TRANSITION') tally.forced++
  if (type === 'RETRY_EFFECT') tally.retried++
  if (type === 'GIVE_UP_EFFECT') tally.givenUp++
  if (effect !== '') {
    const left = await world.failed(preview.id)
    assert.ok(!left.includes(effect), shown)
    if (left.length === 0)
      assert.equal((await world.row(preview.id)).columns.incidents, 0, `${shown}: the incident still counts the effect`)
    assert.equal((await world.pending(preview.id)).includes(effect), type === 'RETRY_EFFECT', shown)
  }
}

interface PossibleAction {
  readonly type: OperatorAction['type']
  readonly event: string | null
  readonly state: string | null
  readonly effectId: string | null
  readonly requiredIds: readonly { readonly name: string }[]
}

/** One of the actions that are listed for the actor, or one that is not listed. */
async function choice(world: OperatorActionWorld, id: string, pick: number): Promise<OperatorAction> {
  const { actions } = await world.ask<{ actions: readonly PossibleAction[] }>('operatorActions', { id })
  const listed = actions.map(toOperatorAction)
  const unlisted: OperatorAction[] = [
    { type: 'SEND_EVENT', event: 'cancel', ids: [] },
    { type: 'SEND_EVENT', event: 'an unknown event', ids: [] },
    { type: 'FORCE_TRANSITION', state: 'RUNNING' },
    { type: 'FORCE_TRANSITION', state: 'CLOSED' },
    { type: 'RETRY_EFFECT', effectId: `${id}:1:0` },
  ]
  const onEffects = listed.filter((action) => 'effectId' in action)
  // Actions on effects are rare, so they are preferred.
  const all = onEffects.length > 0 && pick % 3 > 0 ? onEffects : [...listed, ...listed, ...unlisted]
  return all[Math.floor(pick / 3) % all.length] ?? { type: 'FORCE_TRANSITION', state: 'RUNNING' }
}

function toOperatorAction({ type, event, state, effectId, requiredIds }: PossibleAction): OperatorAction {
  switch (type) {
    case 'SEND_EVENT':
      return { type, event: event ?? '', ids: requiredIds.map(({ name }) => ({ name, id: `run_${'0'.repeat(26)}` })) }
    case 'FORCE_TRANSITION':
      return { type, state: state ?? '' }
    default:
      return { type, effectId: effectId ?? '' }
  }
}

function toInput({ type, ...fields }: OperatorAction) {
  switch (type) {
    case 'SEND_EVENT':
      return { sendEvent: fields }
    case 'FORCE_TRANSITION':
      return { forceTransition: fields }
    case 'RETRY_EFFECT':
      return { retryEffect: fields }
    case 'GIVE_UP_EFFECT':
      return { giveUpEffect: fields }
  }
}

async function perform(
  world: OperatorActionWorld,
  targets: readonly { readonly id: string; readonly action: object }[],
  previews: readonly Preview[],
): Promise<readonly Outcome[]> {
  const expected = targets.map((target, index) => ({ ...target, expectedSequence: previews[index]?.sequence ?? 0 }))
  const [only] = expected
  if (expected.length === 1 && only !== undefined) {
    return [
      await world.ask<{ actor: { sequence: number } }>('performOperatorAction', { ...only, reason }).then(
        ({ actor: { sequence } }): Outcome => ({ sequence }),
        (error: unknown) => {
          if (error instanceof Failure) return { code: error.code, message: error.message }
          throw error
        },
      ),
    ]
  }
  const { results } = await world.ask<{
    results: { actor: { sequence: number } | null; code: string | null; message: string | null }[]
  }>('performOperatorActions', { targets: expected, reason })
  return results.map(({ actor, code, message }) =>
    actor === null ? { code: code ?? '', message: message ?? '' } : { sequence: actor.sequence },
  )
}
