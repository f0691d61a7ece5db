/** What Prometheus is told of the actor system: numbers that it keeps anyway, read when they are asked for. */
import { Counter, Gauge, type Registry } from 'prom-client'

export interface ActorLoad {
  /** Actors in memory. */
  readonly actors: number
  /** Messages that wait in mailboxes. */
  readonly messages: number
  /** Effects that are being carried out. */
  readonly effects: number
  /** Actors that cannot be processed and are tried again with pauses. */
  readonly quarantined: number
  /** Effects that cannot be read, or whose failure cannot be reported to their actors, tried again with pauses. */
  readonly quarantinedEffects: number
  /** Steps that became durable since the start, and the batches that they were committed in. */
  readonly steps: number
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
  gauge('signalbox_messages_waiting', 'Messages that wait in mailboxes.', ({ messages }) => messages)
  gauge('signalbox_effects_under_way', 'Effects that are being carried out.', ({ effects }) => effects)
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
  counter('signalbox_steps_total', 'Steps of actors that became durable.', ({ steps }) => steps)
  counter('signalbox_commits_total', 'Batches in which steps were committed.', ({ batches }) => batches)
}
