/**
 * Runs after storage is opened and before the process takes work. Every definition is stored under its hash. The snapshot of every actor
 * that has not ended is tried against the present machine. If one does not fit, the start fails with a report by actor, before anything is
 * changed. Then each actor of an older version is migrated by a transition in its journal. Migrations only go forward.
 * A machine may have a transition for the event `migrated`, for example to begin deadlines that its earlier version did not have.
 */
import type { Json } from '../spec/core/actor.ts'
import { type PreparedTransition, prepareTransition } from './activation/prepareTransition.ts'
import { restoreSnapshot } from './activation/snapshot.ts'
import type { AnyActorRef } from './anyKind.ts'
import { type Logic, migratedEvent } from './decide/logic.ts'
import type { Clock } from './ports/clock.ts'
import type { Definitions, KeptDefinition } from './ports/definitions.ts'
import type { Journal, StoredActor } from './ports/journal.ts'

const pageSize = 256
/** A report names this many actors and counts the others. */
const reported = 20

export interface UpgradeOptions {
  readonly logics: readonly Logic[]
  readonly definitions: Definitions
  readonly journal: Journal
  readonly clock: Clock
  readonly owner: string
}

export interface Misfit {
  readonly ref: AnyActorRef
  readonly problem: string
}

export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused'
  readonly misfits: readonly Misfit[]
  constructor(misfits: readonly Misfit[]) {
    const lines = misfits.slice(0, reported).map(({ ref, problem }) => `  ${ref.kind} ${ref.id}: ${problem}`)
    const rest = misfits.length > reported ? [`  and ${misfits.length - reported} more`] : []
    super(
      [
        `${misfits.length} actors do not fit the machines of this version, so it was not started and nothing was changed:`,
        ...lines,
        ...rest,
      ].join('\n'),
    )
    this.misfits = misfits
  }
}

/** Returns how many actors were migrated. @throws UpgradeRefused */
export async function upgrade(options: UpgradeOptions): Promise<number> {
  const misfits: Misfit[] = []
  const behind = new Set<Logic>()
  for (const logic of options.logics) {
    for await (const stored of outdated(options, logic)) {
      if (stored.machine.version !== logic.machine.version) behind.add(logic)
      try {
        turnForward(options, logic, stored)
      } catch (error) {
        misfits.push({ ref: stored, problem: error instanceof Error ? error.message : String(error) })
      }
    }
  }
  if (misfits.length > 0) throw new UpgradeRefused(misfits)
  await options.definitions.keep(options.logics.map(keptDefinition))
  let moved = 0
  for (const logic of behind) {
    for await (const stored of outdated(options, logic)) {
      if (stored.machine.version === logic.machine.version) continue
      await move(options, logic, stored)
      moved++
    }
  }
  return moved
}

export function keptDefinition({ definition: { kind }, machine, source }: Logic): KeptDefinition {
  return { kind, machine, definition: source }
}

async function* outdated({ definitions }: UpgradeOptions, logic: Logic): AsyncGenerator<StoredActor> {
  let after: string | undefined
  for (;;) {
    const page = await definitions.onOtherDefinitions(logic.definition.kind, logic.machine, after, pageSize)
    yield* page
    after = page.at(-1)?.id
    if (page.length < pageSize) return
  }
}

/** The stored actor in the form of the present version. @throws if no migration leads to it */
export function migrated(logic: Logic, stored: StoredActor): StoredActor {
  const { version } = logic.machine
  if (stored.machine.version > version) {
    throw new Error(
      `it was written by version ${stored.machine.version} of the machine, and this is version ${version}`,
    )
  }
  const { value, context, ...rest } = JSON.parse(stored.snapshot) as { value: Json; context: Record<string, Json> }
  let state = { value, context }
  for (let from = stored.machine.version; from < version; from++) {
    const migration = logic.definition.migrations?.[from]
    if (migration === undefined) throw new Error(`there is no migration from version ${from}`)
    state = migration(state)
  }
  return { ...stored, snapshot: JSON.stringify({ ...state, ...rest }) }
}

async function move(options: UpgradeOptions, logic: Logic, stored: StoredActor): Promise<void> {
  await options.journal.commit([turnForward(options, logic, stored).write], [])
}

/** Prepares the whole transition that migrates the actor. So every error of one actor is found before anything is changed. */
function turnForward({ clock, owner }: UpgradeOptions, logic: Logic, stored: StoredActor): PreparedTransition {
  const snapshot = restoreSnapshot(logic, migrated(logic, stored))
  const at = clock.now()
  const event = { type: migratedEvent, at, from: stored.machine.version, to: logic.machine.version }
  const origin = { cause: 'migration', principal: 'system', requestId: 'start', receivedAt: at } as const
  const { value: from } = JSON.parse(stored.snapshot) as { value: Json }
  const [state, actions] = logic.accepts(snapshot.state, event)
    ? logic.next(snapshot.state, event)
    : ([snapshot.state, []] as const)
  return prepareTransition(
    logic,
    {
      ref: snapshot.ref,
      before: snapshot,
      from,
      state,
      actions,
      event,
      message: { event, origin },
      firedTimer: undefined,
      at,
    },
    owner,
  )
}
