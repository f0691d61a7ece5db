/** Programs that machines download as one file, and run on Node without packages. */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export interface ProgramBundle {
  readonly filename: string
  readonly source: string
  /** Hexadecimal, of the source in UTF-8. */
  readonly sha256: string
}

/**
 * Returns a function that bundles a program for Node 20 and newer. The program is bundled once. A failed build is repeated at the next call.
 * @param entry the URL of the file that starts the program
 */
export function programBundler(filename: string, entry: URL): () => Promise<ProgramBundle> {
  let bundle: Promise<ProgramBundle> | undefined
  return () => {
    bundle ??= bundleProgram(filename, entry).catch((error) => {
      bundle = undefined
      throw error
    })
    return bundle
  }
}

async function bundleProgram(filename: string, entry: URL): Promise<ProgramBundle> {
  const result = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // Stack traces from users' machines should contain names of functions.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    // `ws` works without its native helpers and imports them in a try block.
    external: ['bufferutil', 'utf-8-validate'],
    // CommonJS packages inside an ES module need a `require`.
    banner: {
      js: `import { createRequire as signalboxRequire } from 'node:module';const require = signalboxRequire(import.meta.url);`,
    },
  })
  const source = result.outputFiles[0]?.text ?? ''
  return { filename, source, sha256: createHash('sha256').update(source).digest('hex') }
}
