/** The files of the pages: bundled by esbuild, and named by a hash of their content. */
import { basename, extname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'esbuild'
import type { Asset } from '../../spec/pages/site.ts'
import type { Hrefs } from './pages/frame.ts'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const folder = fileURLToPath(new URL('.', import.meta.url))

/** The files that every page needs. */
const entries = {
  style: 'look/gatePages.css',
  consoleStyle: 'look/console.css',
  icon: 'look/signalbox.svg',
  gate: 'browser/gate.ts',
  console: 'app/main.tsx',
  logReader: 'app/runs/log/reader.ts',
  // Used as published, a script for a worker: it is minified already, and is most of the code.
  chartEngine: relative(folder, fileURLToPath(import.meta.resolve('elkjs/lib/elk-worker.min.js'))),
} satisfies Record<keyof Hrefs, string>

/** Below this size, in bytes, the header of a compressed response costs about as much as compression saves. */
const worthCompressing = 512

/** Above this size, in bytes, brotli's best level takes seconds. This applies to the layout engine. */
const large = 300_000

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)]

/** @throws if a file does not compile */
export async function buildAssets(): Promise<{ assets: ReadonlyMap<string, Asset>; hrefs: Hrefs }> {
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
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    loader: { '.svg': 'copy', '.min.js': 'copy' },
  })
  const assets = outputFiles.map(({ path, contents }) => [hrefOf(path), assetOf(path, contents)] as const)
  const made = new Map(Object.entries(metafile.outputs).map(([path, { entryPoint }]) => [entryPoint, hrefOf(path)]))
  const href = (name: keyof Hrefs): string => made.get(entries[name]) ?? missing(entries[name])
  return {
    assets: new Map(assets),
    hrefs: {
      style: href('style'),
      icon: href('icon'),
      gate: href('gate'),
      console: href('console'),
      consoleStyle: href('consoleStyle'),
      logReader: href('logReader'),
      chartEngine: href('chartEngine'),
    },
  }
}

function hrefOf(path: string): string {
  return `/assets/${basename(path)}`
}

function missing(entry: string): never {
  throw new Error(`the bundler made nothing of ${entry}`)
}

function assetOf(path: string, bytes: Uint8Array): Asset {
  const contentType = types[extname(path)] ?? 'application/octet-stream'
  if (bytes.length < worthCompressing) return { contentType, bytes, compressed: {} }
  const quality = bytes.length > large ? 6 : 11
  return {
    contentType,
    bytes,
    compressed: {
      br: once(() => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })),
      gzip: once(() => gzipped(bytes, { level: 9 })),
    },
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
