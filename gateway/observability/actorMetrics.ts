/**
 * Registers the metrics of the actor runtime for Prometheus. The runtime keeps these numbers anyway, and they are read on each
 * scrape.
 */
import { Counter, Gauge, type Registry } from 'prom-client'

export interface ActorLoad {
  /** Actors in memory. */
  readonly actors: number
  /** Messages that wait in the queues of actors. */
  readonly messages: number
  /** Effects that are being delivered. */
  readonly effects: number
  /** Actors that cannot be processed. The runtime retries them with growing pauses. */
  readonly quarantined: number
  /** Effects that cannot be read, or whose failure cannot be reported to their actors. The runtime retries them with pauses. */
  readonly quarantinedEffects: number
  /** Committed transitions since the start, and the batches in which they were committed. */
  readonly transitions: number
  readonly batches: number
}

export function registerActorMetrics(registry: Registry, load: () => ActorLoad): void {
  const registers = [registry]
  const gauge = (name: string, help: string, of: (load: ActorLoad) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(of(load()))
      },
    })
  const counter = (name: string, help: string, of: (load: ActorLoad) => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(of(load()))
      },
    })
  gauge('signalbox_actors_in_memory', 'Actors that are in memory.', ({ actors }) => actors)
  gauge('signalbox_messages_waiting', 'Messages that wait in the queues of actors.', ({ messages }) => messages)
  gauge('signalbox_effects_in_flight', 'Effects that are being executed.', ({ effects }) => effects)
  gauge(
    'signalbox_actors_quarantined',
    'Actors that this process cannot process and tries again with growing pauses; stuckActors shows their errors.',
    ({ quarantined }) => quarantined,
  )
  gauge(
    'signalbox_effects_quarantined',
    'Effects that this process cannot read, or whose failure it cannot report to their actors, and tries again with growing pauses.',
    ({ quarantinedEffects }) => quarantinedEffects,
  )
  counter('signalbox_transitions_total', 'Transitions of actors that became durable.', ({ transitions }) => transitions)
  counter('signalbox_commits_total', 'Batches in which transitions were committed.', ({ batches }) => batches)
}
