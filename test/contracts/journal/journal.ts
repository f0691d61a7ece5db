import { describe } from 'node:test'
import { itIn, type OpenDatabase } from '../storages.ts'
import { claims } from './claims.ts'
import { deltas } from './deltas.ts'
import { losses } from './losses.ts'
import { processes } from './processes.ts'
import { steps } from './steps.ts'
import { values } from './values.ts'

/** The contract of every `Journal`. */
export function journalContract(name: string, open: OpenDatabase): void {
  describe(`${name}: journal`, () => {
    for (const part of [steps, losses, claims, processes, values, deltas]) part(itIn(open))
  })
}
