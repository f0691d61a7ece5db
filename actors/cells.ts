/** The actors that are in memory, how many messages wait for them, and which of them have something to decide. */
import type { ActorRef } from '../spec/actor.ts'
import { Cell, type Delivery } from './cell.ts'
import { restoreLive } from './live.ts'
import type { Loader } from './loader.ts'
import type { Logic } from './logic.ts'
import type { Clock, StoredActor } from './ports.ts'
import { internal } from './refusals.ts'

export interface CellsOptions {
  logic(kind: ActorRef['kind']): Logic
  readonly loader: Loader
  readonly clock: Clock
  /** There is something to decide. */
  ready(): void
  problem(error: unknown, context: Readonly<Record<string, unknown>>): void
}

export class Cells {
  readonly #options: CellsOptions
  readonly #cells = new Map<string, Cell>()
  /** Those with something to decide, in the order in which they became so. */
  #ready: Cell[] = []
  /** How many of them, from the first, were taken. */
  #taken = 0
  #pending = 0

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
    if (cell.state === 'absent') this.#load(cell)
    if (cell.state !== 'idle' || cell.ready) return
    cell.ready = true
    this.#ready.push(cell)
    this.#options.ready()
  }

  /** Puts a message at the end of the mailbox. */
  push(cell: Cell, delivery: Delivery): void {
    cell.mailbox.push(delivery)
    this.#pending++
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
    cell.mailbox.shift()
    this.#pending--
  }

  /** Puts a message back, before all that came after it. */
  unshift(cell: Cell, delivery: Delivery): void {
    cell.mailbox.unshift(delivery)
    this.#pending++
  }

  /** Another process has moved the actor on: what is in memory is not to be decided on any more. */
  outdated(ref: ActorRef, seq: number): void {
    const cell = this.#cells.get(ref.id)
    if (cell === undefined || (cell.live !== undefined && cell.live.seq >= seq)) return
    if (cell.state !== 'idle') {
      cell.stale = true
      return
    }
    cell.state = 'absent'
    if (cell.hasWork) this.schedule(cell)
  }

  /** Puts actors out of memory that nobody has used since `before`, milliseconds since 1970. */
  passivate(before: number): void {
    for (const [id, cell] of this.#cells) {
      const resting = cell.state === 'idle' || cell.state === 'absent'
      if (resting && !cell.hasWork && cell.lastUsed < before) this.#cells.delete(id)
    }
  }

  /** Whether what is stored fits the machine; where it doesn't, all that waits for the actor has been answered. */
  restore(cell: Cell, stored: StoredActor | undefined): boolean {
    try {
      cell.live = stored && restoreLive(cell.logic, stored)
      return true
    } catch (error) {
      this.#unfit(cell, error)
      return false
    }
  }

  #load(cell: Cell): void {
    cell.state = 'loading'
    cell.stale = false
    void this.#options.loader.load(cell.ref).then((stored) => {
      if (!this.restore(cell, stored)) return
      cell.state = 'idle'
      this.schedule(cell)
    })
  }

  /** What is stored doesn't fit the machine. The start tries every snapshot first, so this is a defect, and is said as one. */
  #unfit(cell: Cell, error: unknown): void {
    this.#options.problem(error, { actor: cell.ref.id })
    this.#cells.delete(cell.ref.id)
    this.#pending -= cell.mailbox.length
    for (const delivery of cell.mailbox.splice(0)) delivery.end({ type: 'refused', failure: internal() })
  }
}
