/** A small inspector in place of Stately's: a page of another origin with the package's receiver, which records the messages. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'

const program = `
import { createBrowserReceiver } from '@statelyai/inspect'
globalThis.said = []
addEventListener('message', ({ data }) => said.push(data))
globalThis.heard = []
createBrowserReceiver().subscribe((event) => heard.push(event))
`

export interface StandIn {
  readonly url: string
  end(): Promise<void>
}

export async function openStandIn(): Promise<StandIn> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
  })
  const script = outputFiles[0]?.text ?? ''
  const server = createServer(({ url }, answer) => {
    const isScript = url === '/inspector.js'
    answer.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    answer.end(
      isScript ? script : '<!doctype html><title>Inspector</title><script type="module" src="/inspector.js"></script>',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    async end() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
