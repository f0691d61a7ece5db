/** Loaded by `node --import`. Changes a source file while it is read, by the fault that CHAOS_FAULT names. */
import { registerHooks } from 'node:module'
import { mutate, sourceOf } from '../../mutants/mutant.ts'
import { killPlants } from './killPlants.ts'

const { CHAOS_FAULT: name = '' } = process.env
const fault = killPlants.find((one) => one.name === name)?.inProgram
if (name !== '') {
  if (fault === undefined) throw new Error(`there is no fault "${name}" of the program`)
  const mutant = { name, fault: name, tests: [], ...fault }
  const url = sourceOf(mutant).href
  registerHooks({
    load(asked, context, nextLoad) {
      const loaded = nextLoad(asked, context)
      if (asked !== url || loaded.source === undefined || loaded.source === null) return loaded
      const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
      return { ...loaded, source: mutate(mutant, text) }
    },
  })
}
