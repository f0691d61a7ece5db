/** Selects the next request and its caller. Operations that were reached least are selected most often. */
import { verdict } from '../../../spec/core/principal.ts'
import type { Random } from '../soak/random.ts'
import { type CallerKind, callerKinds, principalOf } from './callers/caller.ts'
import { mayAsk } from './callers/crew.ts'
import type { Reach } from './reach.ts'
import type { Target } from './subject.ts'

export interface Cell {
  readonly target: Target
  readonly kind: CallerKind
}

export type Intent = 'right' | 'damaged' | 'strange'

export interface Choice extends Cell {
  readonly allowed: boolean
  readonly intent: Intent
}

export class Steer {
  /** Operations with the kinds of callers that have access. */
  readonly cells: readonly Cell[]
  readonly #targets: readonly Target[]
  readonly #reach: Reach
  readonly #tries = new Map<Cell, number>()

  constructor(targets: readonly Target[], reach: Reach) {
    this.#targets = targets
    this.#reach = reach
    this.cells = cellsOf(targets)
  }

  choose(random: Random): Choice {
    const draw = random.below(100)
    if (draw < 22) {
      const target = random.pick(this.#targets)
      const drawn = random.pick(callerKinds)
      // An enrollment token is a credential only for operations that accept it. Elsewhere its holder is anonymous.
      const kind = drawn === 'enrollment' && verdict(target.access, drawn) !== 'allowed' ? 'anonymous' : drawn
      const intent = random.pick(['right', 'damaged', 'strange'] as const)
      return { target, kind, allowed: mayAsk(kind, target.access), intent }
    }
    const cell = draw < 75 ? this.#least(random) : random.pick(this.cells)
    this.#tries.set(cell, (this.#tries.get(cell) ?? 0) + 1)
    const intent = random.chance(0.8) ? 'right' : random.chance(0.8) ? 'damaged' : 'strange'
    return { ...cell, allowed: true, intent }
  }

  #least(random: Random): Cell {
    const some = Array.from({ length: 16 }, () => random.pick(this.cells))
    const weight = (cell: Cell) => this.count(cell) + (this.#tries.get(cell) ?? 0) / 10
    return some.reduce((best, cell) => (weight(cell) < weight(best) ? cell : best))
  }

  count({ target, kind }: Cell): number {
    return this.#reach.count(target.name, kind)
  }
}

export function cellsOf(targets: readonly Target[]): readonly Cell[] {
  return targets.flatMap((target) => allowedKinds(target).map((kind) => ({ target, kind })))
}

/** If no credential is checked, every caller is anonymous. */
function allowedKinds({ access }: Target): readonly CallerKind[] {
  if (access === 'public') return ['anonymous']
  return callerKinds.filter((kind) => {
    const principal = principalOf[kind]
    return principal !== undefined && verdict(access, principal) === 'allowed'
  })
}
