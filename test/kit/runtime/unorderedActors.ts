/**
 * Many actors in memory, joined by their tells. Nothing is delivered by itself: a test picks which message or timer comes
 * next, so every order can be tried. Each tell is delivered once; a refusal goes back to its sender, as in the runtime.
 */
import type { MachineContext, Tell } from '../../../machines/framework/define.ts'
import type { RequestedOperation } from '../../../machines/framework/requestOperation.ts'
import { machines } from '../../../machines/machines.ts'
import type { ActorEvent, ActorRef, Json } from '../../../spec/core/actor.ts'
import {
  applyEvent,
  begin,
  canceledOf,
  delaysOf,
  type PlannedAction,
  type Result,
  type Snapshot,
  stateOf,
  tellsOf,
} from './applyEvent.ts'

interface Live {
  readonly ref: ActorRef
  snapshot: Snapshot
  readonly timers: Map<string, { readonly event: string; readonly due: number }>
}

interface Mail {
  readonly from: ActorRef
  readonly tell: Tell
}

/** An operation that an actor has requested. */
interface Requested {
  readonly from: ActorRef
  readonly params: RequestedOperation
}

export class UnorderedActors {
  readonly actors = new Map<string, Live>()
  readonly mail: Mail[] = []
  /** The requested operations. A test answers and removes them. */
  readonly requests: Requested[] = []
  /** The symbolications that actors have requested. A test answers and removes them. */
  readonly symbolications: { readonly from: ActorRef; readonly type: string; readonly params: unknown }[] = []
  /** The names of the blobs that actors have removed. */
  readonly removedBlobs: string[] = []
  /** The checks for deadlocks that steps have requested. */
  readonly waitChecks: { readonly from: ActorRef; readonly runId: string }[] = []
  /** Called after each transition of an actor. */
  onTransition: (ref: ActorRef) => void = () => {}
  now = 1_700_000_000_000
  readonly log: string[] = []

  create(ref: ActorRef, init: Readonly<Record<string, Json>>): void {
    if (this.actors.has(ref.id)) return
    const live: Live = { ref, snapshot: undefined as unknown as Snapshot, timers: new Map() }
    const first = begin(machines[ref.kind], { id: ref.id, init, at: this.now })
    live.snapshot = first.snapshot
    this.actors.set(ref.id, live)
    this.#carryOut(live, first.actions)
    this.log.push(`${ref.id} created → ${stateOf(live.snapshot)}`)
    this.onTransition(ref)
  }

  send(ref: ActorRef, event: ActorEvent): Result {
    const live = this.actors.get(ref.id)
    if (live === undefined) return { type: 'refused', code: 'NOT_FOUND', message: 'absent', details: undefined }
    const result = applyEvent(machines[ref.kind], live.snapshot, { ...event, at: this.now })
    this.log.push(
      `${ref.id} ${event.type} ${JSON.stringify(event).slice(0, 120)} → ${result.type === 'accepted' ? stateOf(result.snapshot) : `${result.type} ${'message' in result ? result.message : ''}`}`,
    )
    if (result.type === 'accepted') {
      live.snapshot = result.snapshot
      this.#carryOut(live, result.actions)
      this.onTransition(ref)
    }
    return result
  }

  /** Delivers the message at this place in the heap of all messages in flight. */
  deliver(index: number): void {
    const [mail] = this.mail.splice(index, 1)
    if (mail === undefined) return
    const { tell, from } = mail
    if (tell.create !== undefined) {
      this.create(tell.to, tell.create)
      return
    }
    const result = this.send(tell.to, tell.event)
    if (result.type !== 'refused' || tell.event.type === 'refused') return
    const { code, message } = result
    const refusal = {
      type: 'refused',
      effect: 'tell',
      sent: tell.event.type,
      by: tell.to,
      code,
      message,
      echo: tell.echo,
    }
    this.send(from, refusal)
  }

  /** The actors that have a timer, with the time at which it is due. */
  timers(): { readonly id: string; readonly timer: string; readonly due: number }[] {
    return [...this.actors.values()].flatMap((live) =>
      live.snapshot.columns.terminal
        ? []
        : [...live.timers].map(([timer, { due }]) => ({ id: live.ref.id, timer, due })),
    )
  }

  fire(id: string, timer: string): void {
    const live = this.actors.get(id)
    const set = live?.timers.get(timer)
    if (live === undefined || set === undefined) return
    live.timers.delete(timer)
    this.now = Math.max(this.now, set.due)
    this.send(live.ref, { type: set.event })
  }

  state(id: string): string {
    const live = this.actors.get(id)
    return live === undefined ? 'absent' : stateOf(live.snapshot)
  }

  context<C = MachineContext>(id: string): C {
    return this.actors.get(id)?.snapshot.state.context as C
  }

  isOver(id: string): boolean {
    return this.actors.get(id)?.snapshot.columns.terminal === true
  }

  #carryOut(live: Live, actions: readonly PlannedAction[]): void {
    for (const id of canceledOf(actions)) live.timers.delete(id)
    for (const { id, event, ms } of delaysOf(actions)) live.timers.set(id, { event, due: this.now + ms })
    for (const tell of tellsOf(actions)) this.mail.push({ from: live.ref, tell: copy(tell) })
    for (const { type, params } of actions) {
      if (type === 'requestOperation')
        this.requests.push({ from: live.ref, params: copy(params as RequestedOperation) })
      if (type === 'symbolicateReport' || type === 'symbolicateWaiting')
        this.symbolications.push({ from: live.ref, type, params: copy(params) })
      if (type === 'removeBlob') this.removedBlobs.push((params as { readonly name: string }).name)
      if (type === 'findDeadlock')
        this.waitChecks.push({ from: live.ref, runId: (params as { readonly runId: string }).runId })
    }
  }
}

/** The content of an outbox is JSON. */
function copy<T>(content: T): T {
  return JSON.parse(JSON.stringify(content)) as T
}
