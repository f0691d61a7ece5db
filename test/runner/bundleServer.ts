/**
 * Bundles the server for `loadStripped.ts`: to load each of its 1,200 files takes half of the processor time of its start, and tests start it
 * hundreds of times. Stack traces have the lines of the source files.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

/** It is loaded by itself, because it prepares the process before the package behind it is loaded. A bundle loads its packages first. */
const notBundled = 'gateway/http/uws.ts'

export async function bundleServer(root: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [join(root, 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    plugins: [keepPlaces(root)],
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'error',
  })
  writeFileSync(outfile, `${readFileSync(outfile, 'utf8')}//# sourceMappingURL=${outfile}.map\n`)
}

/** Each file finds its neighbors, such as the files of its threads, at its own place in the project. */
function keepPlaces(root: string): Plugin {
  const external = join(root, notBundled)
  return {
    name: 'keep places',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\/uws\.ts$/ }, ({ path, resolveDir }) =>
        join(resolveDir, path) === external ? { path: pathToFileURL(external).href, external: true } : undefined,
      )
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const place = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
        const contents = readFileSync(path, 'utf8').replaceAll(
          /\bimport\.meta\.(url|dirname|filename)\b/g,
          (_, name: keyof typeof place) => JSON.stringify(place[name]),
        )
        return { contents, loader: 'ts' }
      })
    },
  }
}
