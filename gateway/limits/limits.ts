/** The limits of the gateway: those of spec/core/limits.ts, which are settings, and bounds of its own that no caller should ever meet. */
import { limits as contractLimits } from '../../spec/core/limits.ts'

export const defaultLimits = {
  ...contractLimits,
  pointsWindowMs: 5 * 60_000,
  /** Milliseconds within which a body must have come. */
  bodyMs: 30_000,
  /** The same for a file. uWebSockets.js ends an upload that is slower than about 16 kB/s long before. */
  uploadMs: 3_600_000,
  /** The period in which the rate of an upload is measured (`uploadBytesPerSecond`). */
  uploadRatePeriodMs: 30_000,
  /** Queries and mutations in flight on one socket. Subscriptions are counted separately. */
  operationsPerSocket: 64,
  connectionInitMs: 10_000,
  /** Seconds of silence after which a socket counts as gone; pings are sent before. */
  socketIdleSeconds: 30,
  /** Bytes up to which a webhook's body is read as it comes; of larger ones so many are held at once. */
  smallWebhookBytes: 256 * 1024,
  largeWebhooksAtOnce: 8,
  passwordHashesAtOnce: 4,
  passwordHashesWaiting: 64,
  cachedPrincipals: 100_000,
  /** Milliseconds after which a credential is looked up again if the feed does not confirm that it is still valid. */
  unconfirmedMs: 1_000,
  /** Milliseconds that a stop waits for requests in flight. */
  drainMs: 10_000,
} as const satisfies Readonly<Record<string, number>>

export type Limits = { readonly [Name in keyof typeof defaultLimits]: number }
