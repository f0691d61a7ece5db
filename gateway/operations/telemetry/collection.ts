/**
 * Whether telemetry is collected, as ingestion asks it for each request: remembered, so that a request costs no query. The feed says
 * when it has changed; since its hints may be lost, what is remembered is good for a second at most.
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
  /** When it was asked for, on the monotonic clock. */
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
  /** The one query for all who ask meanwhile; undefined where what it reads may be old already. */
  #reading: Promise<Settings> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#unlisten = parts.feed.onActor(telemetrySettingsId, () => this.#forget())
  }

  /** Rejects where storage is away. */
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
      // A change that came meanwhile has forgotten this reading: it may not have seen it.
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
