/**
 * Bundles packages of many files, for `loadStripped.ts`: without it each of the hundreds of processes that the tests start
 * resolves and loads 600 files of packages. The bundles share their common parts, so a package is still one instance in a process.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** As the project imports them. They have only JavaScript, and start no worker from a file of their own. */
const specifiers = [
  '@envelop/core',
  '@modelcontextprotocol/sdk/client/index.js',
  '@modelcontextprotocol/sdk/client/sse.js',
  '@modelcontextprotocol/sdk/client/streamableHttp.js',
  '@modelcontextprotocol/sdk/server/index.js',
  '@modelcontextprotocol/sdk/server/streamableHttp.js',
  '@modelcontextprotocol/sdk/shared/transport.js',
  '@modelcontextprotocol/sdk/types.js',
  '@modelcontextprotocol/sdk/validation/ajv',
  '@modelcontextprotocol/server',
  '@xstate/store',
  'ajv/dist/2020.js',
  'asn1js',
  'eventsource',
  'fast-check',
  'graphql',
  'graphql-ws',
  'graphql-ws/use/ws',
  'openid-client',
  'pkijs',
  'postgres',
  'prom-client',
  'xstate',
] as const

/** @returns the URL of each specifier's bundle */
export async function bundlePackages(root: string, folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = join(folder, 'entries')
  mkdirSync(entries, { recursive: true })
  const named = specifiers.map((specifier) => ({ specifier, name: specifier.replaceAll(/\W/g, '_') }))
  for (const { specifier, name } of named) writeFileSync(join(entries, `${name}.mjs`), await reexport(specifier))
  const { metafile } = await build({
    entryPoints: named.map(({ name }) => join(entries, `${name}.mjs`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    nodePaths: [join(root, 'node_modules')],
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    // Packages in CommonJS require Node's own modules.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
    metafile: true,
  })
  requireOneInstance(root, Object.keys(metafile.inputs))
  return Object.fromEntries(
    named.map(({ specifier, name }) => [specifier, pathToFileURL(join(folder, `${name}.mjs`)).href]),
  )
}

/** A package in a bundle that the project also imports by itself would be two instances in a process. */
function requireOneInstance(root: string, inputs: readonly string[]): void {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const ofProject = Object.keys({ ...dependencies, ...devDependencies })
  const missing = ofProject
    .filter((name) => inputs.some((input) => input.includes(`node_modules/${name}/`)))
    .filter((name) => !specifiers.some((specifier) => `${specifier}/`.startsWith(`${name}/`)))
  if (missing.length > 0)
    throw new Error(`Add to the specifiers in test/runner/bundlePackages.ts: ${missing.join(', ')}`)
}

/** It lists the names, because those of a package in CommonJS are found only by loading it. */
async function reexport(specifier: string): Promise<string> {
  const names = Object.keys(await import(specifier)).filter((name) => name !== 'module.exports')
  return `export { ${names.join(', ')} } from '${specifier}'\n`
}
