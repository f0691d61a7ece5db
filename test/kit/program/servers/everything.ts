/** `@modelcontextprotocol/server-everything` in a process of its own, which ends with the test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../ports.ts'

const program = resolve(
  import.meta.dirname,
  '../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
)

/** The URL of its endpoint, and a function that ends it. */
export interface EverythingServer {
  readonly url: string
  stop(): Promise<void>
}

export async function startEverything(transport: 'STREAMABLE_HTTP' | 'SSE'): Promise<EverythingServer> {
  const port = await freePort()
  const name = transport === 'SSE' ? 'sse' : 'streamableHttp'
  const child = spawn(process.execPath, [program, name], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  for (let waited = 0; !/(listening|running) on port/.test(said); waited += 50) {
    if (waited > 30_000 || child.exitCode !== null) throw new Error(`server-everything did not start: ${said}`)
    await sleep(50)
  }
  return {
    url: `http://127.0.0.1:${port}/${transport === 'SSE' ? 'sse' : 'mcp'}`,
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
