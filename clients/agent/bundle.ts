import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export interface AgentBundle {
  filename: 'signalbox-agent.mjs'
  source: string
  /** Hexadecimal, of the source in UTF-8. */
  sha256: string
}

let bundle: Promise<AgentBundle> | undefined

/**
 * Returns the agent as one file without dependencies, for Node 20 and newer. It is built once. A failed build is repeated at the next
 * call.
 */
export function bundleAgent(): Promise<AgentBundle> {
  bundle ??= bundleOnce().catch((error) => {
    bundle = undefined
    throw error
  })
  return bundle
}

async function bundleOnce(): Promise<AgentBundle> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('./main.ts', import.meta.url))],
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
  return { filename: 'signalbox-agent.mjs', source, sha256: createHash('sha256').update(source).digest('hex') }
}
