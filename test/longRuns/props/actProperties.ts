/** The properties of every operator action: it does what its preview showed, or the actor had changed and the action does nothing. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { machines } from '../../../machines/machines.ts'
import type { JournalEntry, Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { type ActorKind, actorKinds } from '../../../spec/core/ids.ts'
import { type ActWorld, actWorld, kindOf } from './actWorld.ts'

export interface Tally {
  worlds: number
  steps: number
  nothing: number
  refused: number
  /** The actor had changed. */
  overtaken: number
  bulk: number
  moves: number
  retried: number
  givenUp: number
  /** On identity kinds and terminal actors. */
  closed: number
}

type Beat =
  | { readonly type: 'say'; readonly actor: number; readonly pick: number }
  | { readonly type: 'wait'; readonly ms: number }

type Move =
  | Beat
  | {
      readonly type: 'act'
      readonly actors: readonly number[]
      readonly pick: number
      readonly meanwhile: readonly Beat[]
      /** Repeats the same action, with a new preview. */
      readonly again: boolean
    }

interface Script {
  readonly alone: boolean
  readonly kinds: readonly ActorKind[]
  readonly moves: readonly Move[]
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

const act: fc.Arbitrary<Move> = fc.record({
  type: fc.constant('act' as const),
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
  moves: fc.array(fc.oneof({ weight: 3, arbitrary: beat }, { weight: 2, arbitrary: act }), {
    minLength: 4,
    maxLength: 20,
  }),
})

/** @throws with the smallest script that fast-check finds, and the seed that reproduces it */
export async function checkActs({ runs, seed }: { runs: number; seed?: number }): Promise<Tally> {
  const tally: Tally = {
    worlds: 0,
    steps: 0,
    nothing: 0,
    refused: 0,
    overtaken: 0,
    bulk: 0,
    moves: 0,
    retried: 0,
    givenUp: 0,
    closed: 0,
  }
  await fc.assert(
    fc.asyncProperty(scripts, (script) => played(script, tally)),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  )
  return tally
}

async function played({ alone, kinds, moves }: Script, tally: Tally): Promise<void> {
  const world = actWorld(alone)
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
    for (const move of moves) {
      if (move.type !== 'act') await beats([move])
      else {
        const ids = [...new Set(move.actors.map(named))]
        const chosen = await choice(world, ids[0] ?? '', move.pick)
        await acted(world, ids, chosen, () => beats(move.meanwhile), tally)
        if (move.again) await acted(world, ids, chosen, () => Promise.resolve(), tally)
      }
    }
    assert.deepEqual(world.problems, [], 'the runtime met a defect')
  } finally {
    await world.stop()
  }
}

interface Preview {
  readonly id: string
  readonly sequence: number
  readonly outcome: 'STEP' | 'NOTHING' | 'REFUSED'
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

interface Possible {
  readonly act: 'SEND_EVENT' | 'MOVE' | 'RETRY_EFFECT' | 'GIVE_UP_EFFECT'
  readonly event?: string | null
  readonly payload?: Json
  readonly state?: string | null
  readonly effectId?: string | null
}

interface Outcome {
  readonly sequence?: number
  readonly code?: string
  readonly message?: string
}

const reason = 'it stands still'

async function acted(
  world: ActWorld,
  ids: readonly string[],
  { effectId, ...chosen }: Possible,
  meanwhile: () => Promise<void>,
  tally: Tally,
): Promise<void> {
  const effects = await Promise.all(
    ids.map(async (id, index) => (index === 0 ? effectId : effectId && ((await world.failed(id))[0] ?? `${id}:1:0`))),
  )
  const targets = ids.map((id, index) => ({ id, effectId: effects[index] ?? null }))
  const previews = await world.ask<Preview[]>('previewOperatorAction', { actors: targets, ...chosen })
  const failed = () => Promise.all(ids.map((id) => world.failed(id)))
  const failedThen = await failed()
  await meanwhile()
  const failedNow = await failed()
  const before = await Promise.all(ids.map((id) => world.row(id)))
  const outcomes = await carriedOut(world, targets, previews, chosen)
  if (ids.length > 1) tally.bulk++
  for (const [index, preview] of previews.entries()) {
    const row = before[index]
    const outcome: Outcome | undefined = outcomes[index]
    assert.ok(row && outcome)
    const entry = (await world.steps(row.id)).find(({ seq }) => seq === row.seq + 1)
    const shown = `${chosen.act} ${chosen.event ?? chosen.state ?? effects[index]} on ${row.kind} ${JSON.stringify(row.value)}`
    if (isClosed(row.id, row.columns.terminal, chosen.act)) {
      tally.closed++
      assert.ok(outcome.code !== undefined, `${shown}: was let in`)
    }
    // A failed effect of a terminal actor changes only the effect.
    const effect = effects[index] ?? ''
    if (failedThen[index]?.includes(effect) !== failedNow[index]?.includes(effect)) continue
    // A timer that is due, or a message of another actor, may be processed before the requested action.
    const other = entry !== undefined && entry.cause.type !== 'operator' && outcome.code === 'CONFLICT'
    if (row.seq !== preview.sequence || other) {
      tally.overtaken++
      assert.equal(outcome.code, 'CONFLICT', `${shown}: had moved on`)
      assert.notEqual(entry?.cause.type, 'operator', `${shown}: left a trace`)
    } else if (preview.outcome === 'STEP')
      await stepped(world, preview, outcome, entry, { shown, act: chosen.act, effect, tally })
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
function isClosed(id: string, terminal: boolean, act: Possible['act']): boolean {
  const { operable } = machines[kindOf(id)]
  return !operable || (terminal && (act === 'SEND_EVENT' || act === 'MOVE'))
}

interface About {
  readonly shown: string
  readonly act: Possible['act']
  readonly effect: string
  readonly tally: Tally
}

async function stepped(
  world: ActWorld,
  preview: Preview,
  outcome: Outcome,
  entry: JournalEntry | undefined,
  { shown, act, effect, tally }: About,
): Promise<void> {
  assert.deepEqual(outcome, { sequence: preview.sequence + 1 }, shown)
  assert.ok(entry, `${shown}: no step is in the journal`)
  const own = entry.effects.filter(({ to }) => to === undefined).map(({ type }) => type)
  const tells = entry.effects.flatMap(({ to }) => to ?? [])
  assert.deepEqual(
    {
      from: entry.from,
      to: entry.to,
      status: entry.status,
      changed: Object.keys(entry.change).sort(),
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
    `${shown}: is not what the preview said`,
  )
  for (const [index, { event, due }] of entry.timers.set.entries()) {
    const foreseen = preview.timersSet[index]
    // Some timers have a duration from the transition on, and some fire at a fixed time.
    const same = due - entry.at === foreseen?.afterMs || due === Date.parse(foreseen?.due ?? '')
    assert.ok(same, `${shown}: ${event} is due after ${due - entry.at} ms, not ${foreseen?.afterMs}`)
  }
  assert.deepEqual([entry.cause.type, entry.cause.reason], ['operator', reason], shown)
  assert.match(entry.principal, /usr_/, shown)
  tally.steps++
  if (act === 'MOVE') tally.moves++
  if (act === 'RETRY_EFFECT') tally.retried++
  if (act === 'GIVE_UP_EFFECT') tally.givenUp++
  if (effect !== '') {
    const left = await world.failed(preview.id)
    assert.ok(!left.includes(effect), shown)
    if (left.length === 0) assert.equal((await world.row(preview.id)).columns.incidents, 0, `${shown}: still counts it`)
    assert.equal((await world.pending(preview.id)).includes(effect), act === 'RETRY_EFFECT', shown)
  }
}

/** One of the actions that are listed for the actor, or one that is not listed. */
async function choice(world: ActWorld, id: string, pick: number): Promise<Possible> {
  const { acts } = await world.ask<{ acts: (Possible & { carries: { name: string; kind: string }[] })[] }>(
    'operatorActions',
    { id },
  )
  const listed = acts.map(({ act, event, state, effectId, carries }): Possible => {
    const payload = Object.fromEntries(carries.map(({ name }) => [name, `run_${'0'.repeat(26)}`]))
    return {
      act,
      event: event ?? null,
      state: state ?? null,
      effectId: effectId ?? null,
      ...(event ? { payload } : {}),
    }
  })
  const unlisted: Possible[] = [
    { act: 'SEND_EVENT', event: 'cancel' },
    { act: 'SEND_EVENT', event: 'nothing that it knows' },
    { act: 'MOVE', state: 'RUNNING' },
    { act: 'MOVE', state: 'CLOSED' },
    { act: 'RETRY_EFFECT', effectId: `${id}:1:0` },
  ]
  const onEffects = listed.filter(({ effectId }) => effectId)
  // Actions on effects are rare, so they are preferred.
  const all = onEffects.length > 0 && pick % 3 > 0 ? onEffects : [...listed, ...listed, ...unlisted]
  return all[Math.floor(pick / 3) % all.length] ?? { act: 'MOVE', state: 'RUNNING' }
}

async function carriedOut(
  world: ActWorld,
  targets: readonly { readonly id: string; readonly effectId: string | null }[],
  previews: readonly Preview[],
  chosen: Possible,
): Promise<readonly Outcome[]> {
  const expected = targets.map((target, index) => ({ ...target, expectedSequence: previews[index]?.sequence ?? 0 }))
  const [only] = expected
  if (expected.length === 1 && only !== undefined) {
    return [
      await world.ask<{ actor: { sequence: number } }>('performOperatorAction', { ...chosen, ...only, reason }).then(
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
  }>('performOperatorActions', { actors: expected, ...chosen, reason })
  return results.map(({ actor, code, message }) =>
    actor === null ? { code: code ?? '', message: message ?? '' } : { sequence: actor.sequence },
  )
}
