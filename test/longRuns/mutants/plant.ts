/**
 * Loaded by `node --import`. Changes a source file while it is read, by the fault that the environment variable MUTANT names. The
 * file on disk does not change.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { mutate, sourceOf } from './mutant.ts'
import { mutants } from './mutants.ts'

// If the tests hang, this ends the processes that they have started (a PostgreSQL) together with them.
process.once('SIGTERM', () => process.exit(1))

const { MUTANT: name = '' } = process.env
if (name !== '') plant(name)

function plant(name: string): void {
  const mutant = mutants.find((one) => one.name === name)
  if (mutant === undefined) throw new Error(`there is no mutant "${name}"`)
  const url = sourceOf(mutant).href
  registerHooks({
    load(asked, context, nextLoad) {
      if (asked !== url) return nextLoad(asked, context)
      const source = mutate(mutant, readFileSync(new URL(url), 'utf8'))
      return { format: 'module-typescript', source, shortCircuit: true }
    },
  })
}
