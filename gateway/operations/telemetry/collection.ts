/**
 * Caches whether telemetry and crash reports are collected, because ingestion needs it for each request. A hint of the feed invalidates
 * the cache. Hints may be lost, so a cached value also expires after a second.
 */
import type { Clock } from '../../../actors/ports/clock.ts'
import { telemetrySettingsId } from '../../../spec/core/ids.ts'
import type { Feed } from '../../../storage/ports/feed.ts'
import type { TypedViews } from '../typedViews.ts'
import { type CollectedKind, isCollected, readCollection } from './telemetrySettings.ts'

const cacheMs = 1_000

type Settings = ReturnType<typeof readCollection>

interface CachedSettings {
  readonly settings: Settings
  /** The start of the query, on the monotonic clock. */
  readonly at: number
}

interface CollectionPorts {
  readonly views: TypedViews
  readonly feed: Feed
  readonly clock: Clock
}

export class TelemetryCollection {
  readonly #parts: CollectionPorts
  readonly #unlisten: () => void
  #known: CachedSettings | undefined
  /** The query in flight, which concurrent calls share. Undefined if its result may be outdated. */
  #reading: Promise<Settings> | undefined

  constructor(parts: CollectionPorts) {
    this.#parts = parts
    this.#unlisten = parts.feed.onActor(telemetrySettingsId, () => this.#invalidate())
  }

  /** Rejects if the storage is unavailable. */
  async isCollected(kind: CollectedKind): Promise<boolean> {
    const { clock } = this.#parts
    const known = this.#known
    if (known !== undefined && clock.monotonic() - known.at < cacheMs) return isCollected(kind, known.settings)
    this.#reading ??= this.#read()
    return isCollected(kind, await this.#reading)
  }

  close(): void {
    this.#unlisten()
  }

  #invalidate(): void {
    this.#known = undefined
    this.#reading = undefined
  }

  #read(): Promise<Settings> {
    const at = this.#parts.clock.monotonic()
    const reading: Promise<Settings> = this.#parts.views
      .get('telemetrySettings', telemetrySettingsId)
      .then(readCollection)
    const finish = (known: CachedSettings | undefined): void => {
      // A change during the query has discarded the query: its result may precede the change.
      if (this.#reading !== reading) return
      this.#reading = undefined
      this.#known = known
    }
    reading.then(
      (settings) => finish({ settings, at }),
      () => finish(undefined),
    )
    return reading
  }
}
