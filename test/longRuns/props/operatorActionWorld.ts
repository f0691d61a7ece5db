/** Actors of every kind on storage in memory. Each is sent events of its machine, so that operator actions find it in any state. */

import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { machines } from '../../../machines/machines.ts'
import type { ActorRef, ActorRow, JournalEntry } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { type ActorKind, kindOfId } from '../../../spec/core/ids.ts'
import { type Ask, asking } from '../../kit/runtime/asking.ts'
import { ManualClock, settled } from '../../kit/runtime/manualClock.ts'
import { openMemoryStorage } from '../../kit/runtime/memory/memory.ts'
import { events, inits } from '../../kit/runtime/samples/samples.ts'
import { startSystem } from '../../kit/runtime/testSystem.ts'

export interface OperatorActionWorld {
  readonly ask: Ask
  /** Undefined if another actor has its name. */
  make(kind: ActorKind): Promise<string | undefined>
  /** Sends one of the events of its kind. A refusal is as useful as a transition. */
  say(id: string, pick: number): Promise<void>
  wait(ms: number): Promise<void>
  now(): number
  row(id: string): Promise<ActorRow>
  steps(id: string): Promise<readonly JournalEntry[]>
  /** Its effects that have failed for good. */
  failed(id: string): Promise<readonly string[]>
  pending(id: string): Promise<readonly string[]>
  /** Errors of the runtime for an actor that was created here. The others were created from samples. */
  readonly problems: readonly unknown[]
  stop(): Promise<void>
}

/** @param alone no actor receives tells. Most receivers would refuse them, which ends many lifecycles early. */
export function openOperatorActionWorld(alone: boolean): OperatorActionWorld {
  const clock = new ManualClock(1_700_000_000_000)
  const storage = openMemoryStorage({})
  const definitions = Object.values(machines)
  const problems: unknown[] = []
  const made = new Set<string>()
  const types = new Set(definitions.flatMap(({ effects }) => effects))
  const { system, ask, newId, history, stop } = startSystem({
    clock,
    storage,
    random: () => 0,
    ...(alone ? { unserved: new Set(['tell']) } : {}),
    // Every effect of an actor fails until its attempts are exhausted.
    handlers: new Map([...types].map((type) => [type, () => Promise.reject(new Error('out of order'))])),
    problem: (error, context) => {
      if (made.has(String(context.actor))) problems.push(error)
    },
  })
  const effects = async (id: string, failed: boolean) =>
    (await storage.views.effects(id)).filter(({ failure }) => (failure !== undefined) === failed).map((one) => one.id)
  return {
    ask: asking({ views: withRowTypes(storage.views), system, clock }).ask,
    problems,
    async make(kind) {
      const to: ActorRef = { kind, id: newId(kind) }
      const outcome = await ask(to, { type: 'create' }, inits[kind]).catch(orFailure)
      await settled()
      if (outcome instanceof Failure) return undefined
      made.add(to.id)
      return to.id
    },
    async say(id, pick) {
      const kind = kindOf(id)
      // The runtime sends events about effects and refusals, and only for existing ones.
      const samples = Object.entries(events[kind]).filter(([name]) => !/^(effect|refused)/.test(name))
      const [name, payload] = samples[pick % samples.length] ?? ['nothing', {}]
      const event = { type: name.split(' ')[0] ?? name, ...payload }
      await ask({ kind, id }, event).catch(orFailure)
      await settled()
    },
    wait: (ms) => clock.advance(ms),
    now: () => clock.now(),
    async row(id) {
      const row = await system.peek({ kind: kindOf(id), id })
      if (row === undefined) throw new Error(`${id} does not exist`)
      return row
    },
    steps: (id) => history({ id }),
    failed: (id) => effects(id, true),
    pending: (id) => effects(id, false),
    stop,
  }
}

function orFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

export function kindOf(id: string): ActorKind {
  const kind = kindOfId(id)
  if (kind === undefined) throw new Error(`${id} is not an ID`)
  return kind
}
