/**
 * Takes the place of esbuild in programs that the tests start: the pages are bundled once in a run, not once in each of the
 * hundred programs. The same options give the same files, since no source changes in a run.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import type { BuildOptions, BuildResult, OutputFile } from 'esbuild'

const bundles = new URL('../../bundles/', import.meta.url)

type Stored = Omit<BuildResult, 'outputFiles'> & { readonly outputFiles: readonly Omit<OutputFile, 'text'>[] }

export async function build(options: BuildOptions): Promise<BuildResult> {
  const file = new URL(createHash('sha256').update(JSON.stringify(options)).digest('hex'), bundles)
  const { outputFiles, ...rest } = read(file) ?? (await buildInto(file, options))
  return {
    ...rest,
    outputFiles: outputFiles.map((output) => ({ ...output, text: new TextDecoder().decode(output.contents) })),
  } as BuildResult
}

function read(file: URL): Stored | undefined {
  try {
    return deserialize(readFileSync(file)) as Stored
  } catch {
    return undefined
  }
}

async function buildInto(file: URL, options: BuildOptions): Promise<Stored> {
  const { build: buildAnew } = (await import('esbuild?own' as string)) as typeof import('esbuild')
  const { errors, warnings, metafile, mangleCache, outputFiles = [] } = await buildAnew(options)
  const files = outputFiles.map(({ path, contents, hash }) => ({ path, contents, hash }))
  const stored = { errors, warnings, metafile, mangleCache, outputFiles: files } as Stored
  // Complete or absent, since several programs may build at the same time.
  mkdirSync(bundles, { recursive: true })
  const temporary = new URL(randomUUID(), bundles)
  writeFileSync(temporary, serialize(stored))
  renameSync(temporary, file)
  return stored
}
