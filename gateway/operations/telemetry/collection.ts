/**
 * Caches whether telemetry is collected, because ingestion needs it for each request. A hint of the feed invalidates the cache. Hints
 * may be lost, so a cached value also expires after a second.
 */
import type { Clock } from '../../../actors/ports/clock.ts'
import { telemetrySettingsId } from '../../../spec/core/ids.ts'
import type { TelemetryKind } from '../../../spec/telemetry/record.ts'
import type { Feed } from '../../../storage/ports/feed.ts'
import type { TypedViews } from '../typedViews.ts'
import { collects, telemetrySettingsOf } from './telemetrySettings.ts'

const goodForMs = 1_000

type Settings = ReturnType<typeof telemetrySettingsOf>

interface Known {
  readonly settings: Settings
  /** The start of the query, on the monotonic clock. */
  readonly at: number
}

interface Parts {
  readonly views: TypedViews
  readonly feed: Feed
  readonly clock: Clock
}

export class TelemetryCollection {
  readonly #parts: Parts
  readonly #unlisten: () => void
  #known: Known | undefined
  /** The query in flight, which concurrent calls share. Undefined if its result may be outdated. */
  #reading: Promise<Settings> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#unlisten = parts.feed.onActor(telemetrySettingsId, () => this.#forget())
  }

  /** Rejects if the storage is unavailable. */
  async collects(kind: TelemetryKind): Promise<boolean> {
    const { clock } = this.#parts
    const known = this.#known
    if (known !== undefined && clock.monotonic() - known.at < goodForMs) return collects(kind, known.settings)
    this.#reading ??= this.#read()
    return collects(kind, await this.#reading)
  }

  close(): void {
    this.#unlisten()
  }

  #forget(): void {
    this.#known = undefined
    this.#reading = undefined
  }

  #read(): Promise<Settings> {
    const at = this.#parts.clock.monotonic()
    const reading: Promise<Settings> = this.#parts.views
      .get('telemetrySettings', telemetrySettingsId)
      .then(telemetrySettingsOf)
    const done = (known: Known | undefined): void => {
      // A change during the query has discarded the query: its result may precede the change.
      if (this.#reading !== reading) return
      this.#reading = undefined
      this.#known = known
    }
    reading.then(
      (settings) => done({ settings, at }),
      () => done(undefined),
    )
    return reading
  }
}
