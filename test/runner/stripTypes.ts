/** Writes the project's files without their types for `loadStripped.ts`. Node's own function strips them. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundlePackages } from './bundlePackages.ts'
import { bundleServer } from './bundleServer.ts'

/** @returns the option of Node that makes it load them, and bundled packages, from the folder */
export async function stripTypes(root: string, folder: string): Promise<string> {
  for (const path of globSync('**/*.ts', { cwd: root, exclude: ['**/node_modules', '.git'] })) {
    const to = join(folder, path.replace(/\.ts$/, '.mjs'))
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, stripTypeScriptTypes(readFileSync(join(root, path), 'utf8')))
  }
  writeFileSync(join(folder, 'packages.json'), JSON.stringify(await bundlePackages(root, join(folder, 'packages'))))
  await bundleServer(root, join(folder, 'server.mjs'))
  const hook = pathToFileURL(join(folder, 'test/runner/loadStripped.mjs'))
  hook.searchParams.set('root', `${pathToFileURL(root)}/`)
  return `--import=${hook}`
}
