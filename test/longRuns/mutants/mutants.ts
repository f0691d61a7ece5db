import { actors } from './actors.ts'
import { machines } from './machines.ts'
import type { Mutant } from './mutant.ts'
import { operatorActionFaults } from './operatorActions.ts'
import { presetFaults } from './presets.ts'
import { push } from './push.ts'
import { runtime } from './runtime.ts'
import { storage } from './storage.ts'
import { workflows } from './workflows.ts'

/** All faults that the tests must detect. */
export const mutants: readonly Mutant[] = Object.freeze([
  ...runtime,
  ...actors,
  ...operatorActionFaults,
  ...storage,
  ...machines,
  ...workflows,
  ...push,
  ...presetFaults,
])
