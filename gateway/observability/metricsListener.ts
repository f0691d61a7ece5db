/** Serves `/metrics` in Prometheus's text format, on a port of its own. */
import type { Registry } from 'prom-client'
import { type Listener, openListener } from '../http/listeners.ts'

export async function openMetricsListener(host: string, port: number, registry: Registry): Promise<Listener> {
  return await openListener(host, port, 'METRICS_PORT', (app) => {
    app.get('/metrics', (res) => {
      let gone = false
      res.onAborted(() => {
        gone = true
      })
      void registry.metrics().then((text) => {
        if (!gone) res.cork(() => res.writeHeader('content-type', registry.contentType).end(text))
      })
    })
    app.any('/*', (res) => {
      res.cork(() => void res.writeStatus('404 Not Found').end())
    })
  })
}
