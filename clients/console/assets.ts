/** The files of the pages: bundled by esbuild, and named by a hash of their content. */
import { createHash } from 'node:crypto'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { consoleLanguageOf } from '../../spec/messages/console/catalog.ts'
import { type Locale, locales } from '../../spec/pages/locales.ts'
import type { Asset } from '../../spec/pages/site.ts'
import { createAsset } from './createAsset.ts'
import type { AssetPaths } from './pages/pageFrame.ts'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const folder = fileURLToPath(new URL('.', import.meta.url))

type EntryName = Exclude<keyof AssetPaths, 'messages'>

/** The files that every page needs. */
const entries = {
  style: 'look/authPages.css',
  consoleStyle: 'look/console.css',
  icon: 'look/signalbox.svg',
  authScript: 'browser/authPage.ts',
  console: 'app/main.tsx',
  logReader: 'app/runs/log/reader.ts',
} satisfies Record<EntryName, string>

/** Above this size, in bytes, brotli's best level takes seconds. */
const largeBytes = 300_000

/** @throws if a file does not compile */
export async function buildAssets(): Promise<{ assets: ReadonlyMap<string, Asset>; paths: AssetPaths }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: Object.values(entries),
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    assetNames: '[name]-[hash]',
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    loader: { '.svg': 'copy' },
  })
  const assets = outputFiles.map(({ path, contents }) => [getAssetPath(path), createFileAsset(path, contents)] as const)
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, { entryPoint }]) => [entryPoint, getAssetPath(path)]),
  )
  const messages = locales.map(createMessagesScript)
  const findPath = (name: EntryName): string => outputs.get(entries[name]) ?? throwMissing(entries[name])
  return {
    assets: new Map([...assets, ...messages.map(({ path, asset }) => [path, asset] as const)]),
    paths: {
      style: findPath('style'),
      icon: findPath('icon'),
      authScript: findPath('authScript'),
      console: findPath('console'),
      consoleStyle: findPath('consoleStyle'),
      logReader: findPath('logReader'),
      messages: Object.fromEntries(messages.map(({ locale, path }) => [locale, path])) as Record<Locale, string>,
    },
  }
}

/** The script with the console's texts of one language. */
function createMessagesScript(locale: Locale) {
  const bytes = Buffer.from(`globalThis.consoleLanguage=${JSON.stringify(consoleLanguageOf(locale))}`)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8).toUpperCase()
  const path = getAssetPath(`messages-${locale}-${hash}.js`)
  return { locale, path, asset: createFileAsset(path, bytes) }
}

function getAssetPath(path: string): string {
  return `/assets/${basename(path)}`
}

function throwMissing(entry: string): never {
  throw new Error(`The bundler created no file for ${entry}.`)
}

function createFileAsset(path: string, bytes: Uint8Array): Asset {
  const contentType = types[extname(path)] ?? 'application/octet-stream'
  return createAsset(contentType, bytes, bytes.length > largeBytes ? 6 : 11)
}
