import { describe } from 'node:test'
import { claims } from './journal/claims.ts'
import { deltas } from './journal/deltas.ts'
import { journalItIn } from './journal/journals.ts'
import { losses } from './journal/losses.ts'
import { processes } from './journal/processes.ts'
import { steps } from './journal/steps.ts'
import { values } from './journal/values.ts'
import type { OpenWorld } from './world.ts'

/** What every `Journal` keeps to. */
export function journalContract(name: string, open: OpenWorld): void {
  describe(`${name}: journal`, () => {
    for (const part of [steps, losses, claims, processes, values, deltas]) part(journalItIn(open))
  })
}
