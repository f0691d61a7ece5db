/** Announces in this process that telemetry of a kind was stored. */
import type { TelemetryKind } from '../../spec/telemetry/record.ts'

export class TelemetryArrivals {
  readonly #listeners = new Map<TelemetryKind, Set<() => void>>()

  announce(kind: TelemetryKind): void {
    for (const listener of this.#listeners.get(kind) ?? []) listener()
  }

  /** Returns a function that stops listening. */
  listen(kind: TelemetryKind, listener: () => void): () => void {
    const listeners = this.#listeners.get(kind) ?? new Set()
    this.#listeners.set(kind, listeners.add(listener))
    return () => void listeners.delete(listener)
  }
}
