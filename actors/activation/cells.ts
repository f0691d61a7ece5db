/** The actors that are in memory, how many messages wait for them, and which of them have something to decide. */
import type { ActorRef } from '../../spec/core/actor.ts'
import type { Logic } from '../decide/logic.ts'
import { internal } from '../decide/refusals.ts'
import type { Clock } from '../ports/clock.ts'
import type { StoredActor } from '../ports/journal.ts'
import { Cell, type Delivery } from './cell.ts'
import { restoreLive } from './live.ts'
import type { LoadedActor, Loader } from './loader.ts'

export interface CellsOptions {
  logic(kind: ActorRef['kind']): Logic
  readonly loader: Loader
  readonly clock: Clock
  /** There is something to decide. */
  ready(): void
  /** It was loaded, and nothing was decided on it yet. */
  loaded(cell: Cell): void
  /** What is stored does not fit the machine. */
  unfit(stored: StoredActor, error: unknown): void
}

export class Cells {
  readonly #options: CellsOptions
  readonly #cells = new Map<string, Cell>()
  /** Those with something to decide, in the order in which they became so. */
  #ready: Cell[] = []
  /** How many of them, from the first, were taken. */
  #taken = 0
  #pending = 0
  #asks = 0

  constructor(options: CellsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#cells.size
  }

  /** Messages that wait in all mailboxes together. */
  get pending(): number {
    return this.#pending
  }

  /** Those of them that somebody waits for. */
  get asks(): number {
    return this.#asks
  }

  find(ref: ActorRef): Cell | undefined {
    return this.#cells.get(ref.id)
  }

  /** The actor's cell, made where it has none. */
  of(ref: ActorRef): Cell {
    let cell = this.#cells.get(ref.id)
    if (cell === undefined) {
      cell = new Cell(ref, this.#options.logic(ref.kind))
      this.#cells.set(ref.id, cell)
    }
    return cell
  }

  /** Loads it, or has it decide, where there is work for it. */
  schedule(cell: Cell): void {
    cell.lastUsed = this.#options.clock.now()
    if (!cell.hasWork) return
    if (cell.endRest !== undefined) return
    if (cell.state === 'absent' && !cell.canDecide) this.#load(cell)
    if (!cell.canDecide || cell.ready) return
    cell.ready = true
    this.#ready.push(cell)
    this.#options.ready()
  }

  /** Loads it where there is work for it, even for a creation: what was decided on has lost against what is stored. */
  reload(cell: Cell): void {
    cell.lastUsed = this.#options.clock.now()
    if (cell.hasWork) this.#load(cell)
  }

  /** Puts a message at the end of the mailbox. */
  push(cell: Cell, delivery: Delivery): void {
    cell.mailbox.push(delivery)
    this.#count(cell, delivery, 1)
    this.schedule(cell)
  }

  /** @param step of each cell in turn what it has to commit, if anything, until there are `limit` */
  take<T>(limit: number, step: (cell: Cell) => T | undefined): readonly T[] {
    const steps: T[] = []
    while (steps.length < limit) {
      const cell = this.#ready[this.#taken]
      if (cell === undefined) break
      this.#taken++
      cell.ready = false
      const one = step(cell)
      if (one !== undefined) steps.push(one)
    }
    // Moved up when half of it is taken, so that a long list is not copied for each batch.
    if (this.#taken * 2 >= this.#ready.length) {
      this.#ready = this.#ready.slice(this.#taken)
      this.#taken = 0
    }
    return steps
  }

  /** Takes the first message out of the mailbox. */
  shift(cell: Cell): void {
    const delivery = cell.mailbox.shift()
    if (delivery !== undefined) this.#count(cell, delivery, -1)
  }

  /** Puts a message back, before all that came after it. */
  unshift(cell: Cell, delivery: Delivery): void {
    cell.mailbox.unshift(delivery)
    this.#count(cell, delivery, 1)
  }

  /** Another process has moved the actor on: what is in memory is not to be decided on any more. */
  outdated(ref: ActorRef, seq: number): void {
    const cell = this.#cells.get(ref.id)
    if (cell === undefined) return
    cell.turns.contend(this.#options.clock.monotonic())
    if (cell.live !== undefined && cell.live.seq >= seq) return
    if (cell.state !== 'idle') {
      cell.stale = true
      return
    }
    cell.state = 'absent'
    cell.endRest?.()
    if (cell.hasWork) this.schedule(cell)
  }

  /** Leaves the actor to other processes for `ms`, or until one of them was seen to write it. */
  rest(cell: Cell, ms: number): void {
    const end = (): void => {
      cancel()
      cell.endRest = undefined
      this.schedule(cell)
    }
    const cancel = this.#options.clock.after(ms, end)
    cell.endRest = end
  }

  /** Puts actors out of memory that nobody has used since `before`, milliseconds since 1970. */
  passivate(before: number): void {
    for (const [id, cell] of this.#cells) {
      const resting = cell.state === 'idle' || cell.state === 'absent'
      if (resting && !cell.hasWork && cell.lastUsed < before) this.#cells.delete(id)
    }
  }

  /** Whether what is stored fits the machine; where it doesn't, all that waits for the actor has been answered. */
  restore(cell: Cell, loaded: LoadedActor | undefined): boolean {
    try {
      cell.live = loaded && restoreLive(cell.logic, loaded.stored, loaded.members)
      return true
    } catch (error) {
      this.#unfit(cell, (loaded as LoadedActor).stored, error)
      return false
    }
  }

  #count(cell: Cell, { deadline }: Delivery, by: 1 | -1): void {
    this.#pending += by
    if (deadline === undefined) return
    this.#asks += by
    cell.asks += by
  }

  #load(cell: Cell): void {
    cell.state = 'loading'
    cell.stale = false
    const { loader } = this.#options
    void loader.load(cell.ref, cell.live).then((loaded) => {
      cell.turns.loaded(loader.lastMs)
      if (!this.restore(cell, loaded)) return
      this.#options.loaded(cell)
      cell.state = 'idle'
      this.schedule(cell)
    })
  }

  /** What is stored doesn't fit the machine. The start tries every snapshot of another version first, so this is a defect. */
  #unfit(cell: Cell, stored: StoredActor, error: unknown): void {
    this.#options.unfit(stored, error)
    this.#cells.delete(cell.ref.id)
    for (const delivery of cell.mailbox.splice(0)) {
      this.#count(cell, delivery, -1)
      delivery.end({ type: 'refused', failure: internal() })
    }
  }
}
