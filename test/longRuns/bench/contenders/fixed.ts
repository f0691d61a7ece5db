/** uWebSockets.js with fixed bytes as its answer: no server that uses it can be faster. */
import { listen, newApp } from '../../../../gateway/http/uws.ts'
import { contenderOptions, serve } from '../support/contender.ts'

export interface FixedOptions {
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

const { headers, body } = contenderOptions<FixedOptions>()
const app = newApp()
app.any('/*', (res) => {
  res.onAborted(() => {})
  res.onData((_chunk, isLast) => {
    if (!isLast) return
    res.cork(() => {
      res.writeStatus('200 OK')
      for (const [name, value] of headers) res.writeHeader(name, value)
      res.end(body)
    })
  })
})
const listening = await listen(app, '127.0.0.1', 0)
if (listening === undefined) throw new Error('no free port')
serve({ port: listening.port, stop: () => listening.close() })
