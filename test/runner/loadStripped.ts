/**
 * Loads the project's files from the folder in which `test/run.ts` has stored them without their types. Otherwise Node would
 * strip them again in each of the hundreds of processes that the tests start: a third of the time to load the program. Line and
 * column numbers stay the same.
 * node --import '…/loadStripped.mjs?root=file:///the/project/' …
 */
import { readFileSync } from 'node:fs'
import module from 'node:module'

const root = new URL(import.meta.url).searchParams.get('root') ?? ''
const stripped = new URL('../../', import.meta.url)

// An older Node, with which tests run the agent's program, has no such hooks and loads nothing of the project.
module.registerHooks?.({
  load(url, context, next) {
    const source = url.startsWith(root) && url.endsWith('.ts') ? read(url.slice(root.length)) : undefined
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
  },
})

/** Undefined for files that were written since. */
function read(path: string): string | undefined {
  try {
    return readFileSync(new URL(path.replace(/\.ts$/, '.mjs'), stripped), 'utf8')
  } catch {
    return undefined
  }
}
