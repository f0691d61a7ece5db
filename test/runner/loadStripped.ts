/**
 * Loads the project's files from the folder in which `test/run.ts` has stored them without their types. Otherwise Node would
 * strip them again in each of the hundreds of processes that the tests start: a third of the time to load the program. Line and
 * column numbers stay the same. It also replaces packages by the bundles of `bundlePackages.ts`, the server by that of
 * `bundleServer.ts`, and esbuild by `cachedEsbuild.ts`.
 * node --import '…/loadStripped.mjs?root=file:///the/project/' …
 */
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { pathToFileURL } from 'node:url'

const root = new URL(import.meta.url).searchParams.get('root') ?? ''
const stripped = new URL('../../', import.meta.url)
const packages: Readonly<Record<string, string>> = JSON.parse(readFileSync(new URL('packages.json', stripped), 'utf8'))
const server = `${root}main.ts`
/** Another process may load some of its modules, which must not exist twice. */
const isServer = process.argv[1] !== undefined && pathToFileURL(process.argv[1]).href === server
if (isServer) process.setSourceMapsEnabled(true)

// An older Node, with which tests run the agent's program, has no such hooks and loads nothing of the project.
module.registerHooks?.({
  resolve(specifier, context, next) {
    if (specifier === 'esbuild?own') return next('esbuild', { ...context, parentURL: `${root}package.json` })
    const bundle = packages[specifier]
    if (bundle !== undefined) return { url: bundle, format: 'module', shortCircuit: true }
    const { parentURL } = context
    if (!parentURL?.startsWith(root) || isPackage(parentURL)) return next(specifier, context)
    if (specifier === 'esbuild') return { url: new URL('cachedEsbuild.mjs', import.meta.url).href, shortCircuit: true }
    // Node would look for the file, its real path and the package that it belongs to.
    if (specifier.startsWith('.') && specifier.endsWith('.ts'))
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    return next(specifier, context)
  },
  load(url, context, next) {
    const path = isServer && url === server ? 'server.ts' : url.slice(root.length)
    const source = url.startsWith(root) && url.endsWith('.ts') ? read(path) : undefined
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
