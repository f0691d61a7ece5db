/**
 * Loads the project's files from the folder in which `test/run.ts` has stored them without their types. Otherwise Node would
 * strip them again in each of the hundreds of processes that the tests start: a third of the time to load the program. Line and
 * column numbers stay the same. It also replaces esbuild by `cachedEsbuild.ts`.
 * node --import '…/loadStripped.mjs?root=file:///the/project/' …
 */
import { readFileSync } from 'node:fs'
import module from 'node:module'

const root = new URL(import.meta.url).searchParams.get('root') ?? ''
const stripped = new URL('../../', import.meta.url)

// An older Node, with which tests run the agent's program, has no such hooks and loads nothing of the project.
module.registerHooks?.({
  resolve(specifier, context, next) {
    if (specifier === 'esbuild?own') return next('esbuild', { ...context, parentURL: `${root}package.json` })
    const isOwn = specifier === 'esbuild' && context.parentURL?.startsWith(root) && !isPackage(context.parentURL)
    return isOwn
      ? { url: new URL('cachedEsbuild.mjs', import.meta.url).href, shortCircuit: true }
      : next(specifier, context)
  },
  load(url, context, next) {
    const source = url.startsWith(root) && url.endsWith('.ts') ? read(url.slice(root.length)) : undefined
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
  },
})

function isPackage(url: string): boolean {
  return url.includes('/node_modules/')
}

/** Undefined for files that were written since. */
function read(path: string): string | undefined {
  try {
    return readFileSync(new URL(path.replace(/\.ts$/, '.mjs'), stripped), 'utf8')
  } catch {
    return undefined
  }
}
