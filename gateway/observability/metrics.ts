/** The metrics of the gateway for Prometheus. Labels are declared routes and names of operations, so their number is bounded. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

export interface GatewayMetrics {
  request(labels: { method: string; route: string; status: number }, seconds: number): void
  graphql(labels: { operation: string; outcome: string }, seconds: number): void
  toolCall(labels: { source: string; outcome: string }, seconds: number): void
  readonly sockets: Gauge
  readonly subscriptions: Gauge
  readonly eventStreams: Gauge
  /** Counts one more payload that is sent to a subscriber. */
  delivered(): void
  /** Subscriptions and event streams that ended because their reader was too slow. */
  readonly queueDrops: Counter
}

const buckets = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

export function gatewayMetrics(registry: Registry): GatewayMetrics {
  const registers = [registry]
  const requests = new Histogram({
    name: 'signalbox_http_request_seconds',
    help: 'HTTP requests by route, method and status.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers,
  })
  const operations = new Histogram({
    name: 'signalbox_graphql_operation_seconds',
    help: 'GraphQL operations by their first field and outcome.',
    labelNames: ['operation', 'outcome'],
    buckets,
    registers,
  })
  const toolCalls = new Histogram({
    name: 'signalbox_tool_call_seconds',
    help: 'Tool calls by the way that they came and how they ended.',
    labelNames: ['source', 'outcome'],
    buckets,
    registers,
  })
  let deliveries = 0
  new Counter({
    name: 'signalbox_deliveries_total',
    help: 'Payloads sent to subscribers.',
    registers,
    // Counted in a plain variable: prom-client's own increment costs as much as the rest of a delivery.
    collect() {
      this.reset()
      this.inc(deliveries)
    },
  })
  return {
    request: ({ method, route, status }, seconds) => requests.labels(method, route, String(status)).observe(seconds),
    graphql: ({ operation, outcome }, seconds) => operations.labels(operation, outcome).observe(seconds),
    toolCall: ({ source, outcome }, seconds) => toolCalls.labels(source, outcome).observe(seconds),
    sockets: new Gauge({ name: 'signalbox_sockets', help: 'Open WebSockets.', registers }),
    subscriptions: new Gauge({ name: 'signalbox_subscriptions', help: 'Live subscriptions.', registers }),
    eventStreams: new Gauge({
      name: 'signalbox_event_streams',
      help: 'Open streams of server-sent events.',
      registers,
    }),
    delivered: () => void deliveries++,
    queueDrops: new Counter({
      name: 'signalbox_slow_subscriptions_total',
      help: 'Subscriptions and event streams that ended because their reader was too slow.',
      registers,
    }),
  }
}
