/** What Prometheus is told of the actor system: numbers that it keeps anyway, read when they are asked for. */
import { Counter, Gauge, type Registry } from 'prom-client'

export interface ActorLoad {
  /** Actors in memory. */
  readonly actors: number
  /** Messages that wait in mailboxes. */
  readonly messages: number
  /** Effects that are being carried out. */
  readonly effects: number
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
  counter('signalbox_steps_total', 'Steps of actors that became durable.', ({ steps }) => steps)
  counter('signalbox_commits_total', 'Batches in which steps were committed.', ({ batches }) => batches)
}
