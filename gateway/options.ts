/** The settings and ports that the gateway requires. `main.ts` passes the real ports, tests pass fakes. */
import type { BlockList } from 'node:net'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Outbound } from '../actors/effects/outbound/port.ts'
import type { Clock } from '../actors/ports/clock.ts'
import type { Beat, PresenceReader } from '../actors/ports/presence.ts'
import type { Site } from '../spec/pages/site.ts'
import type { IdentityProvider } from '../spec/settings/identityProvider.ts'
import type { InstallationStatus } from '../spec/settings/installation.ts'
import type { ExternalTools } from '../spec/tools/external.ts'
import type { BlobHashes } from '../storage/ports/blobHashes.ts'
import type { Blobs } from '../storage/ports/blobs.ts'
import type { ContentReader } from '../storage/ports/contents.ts'
import type { Feed } from '../storage/ports/feed.ts'
import type { Streams } from '../storage/ports/streams.ts'
import type { Telemetry } from '../storage/ports/telemetry.ts'
import type { ToolCalls } from '../storage/ports/toolCalls.ts'
import type { Route } from './http/route.ts'
import type { Ids } from './ids.ts'
import type { Limits } from './limits/limits.ts'
import type { System } from './messages.ts'
import type { Operation } from './operations/handler.ts'
import type { CatalogType } from './operations/objectType.ts'
import type { ServedTool } from './operations/tools/servedTool.ts'
import type { TypedViews } from './operations/typedViews.ts'
import type { Sealings } from './secrets/sealing.ts'
import type { Signings } from './secrets/signing.ts'

export interface GatewaySettings {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  readonly agentWsPort: number
  /** The URL to which agents connect. If omitted, it is derived from the request. */
  readonly agentWsUrl?: string | undefined
  /** The origin under which external callers reach the server. */
  readonly publicBaseUrl?: string | undefined
  readonly appOrigins?: readonly string[] | undefined
  /** The proxies whose headers `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
  readonly trustedProxies?: BlockList | undefined
  readonly metrics?: { readonly port: number; readonly host: string } | undefined
  readonly production: boolean
  /** `GRAPHQL_SANDBOX`: enables introspection, suggestions and GraphiQL also in production. */
  readonly graphqlSandbox: boolean
  readonly authMode: 'password' | 'oidc' | 'both'
  /** Undefined if `authMode` is `password`. */
  readonly identityProvider?: IdentityProvider | undefined
  /** Signs the profiles that enroll devices. */
  readonly deviceProfile?: DeviceProfile | undefined
  /** The certificates (PEM) of the authorities that issue devices' certificates. If omitted, any authority is accepted. */
  readonly deviceAuthorities?: readonly string[] | undefined
  readonly rawCrashReportRetentionDays: number
  readonly limits?: Partial<Limits> | undefined
}

/** A certificate chain and its private key, both in PEM. */
export interface DeviceProfile {
  /** The signer's own certificate first, then those of its issuers. */
  readonly certificates: readonly string[]
  readonly key: string
}

/** The key IDs of `APP_SECRET` and, if it is set, of `APP_SECRET_PREVIOUS`. */
export interface SecretKeys {
  readonly currentKeyId: string
  readonly acceptedKeyIds: readonly string[]
}

export interface PasswordHashing {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

/** The agent's program as users download it. `sha256` is hexadecimal. */
export interface DownloadedProgram {
  readonly filename: string
  readonly source: string
  readonly sha256: string
}

export interface GatewayOptions {
  readonly settings: GatewaySettings
  readonly system: System
  readonly views: TypedViews
  readonly streams: Streams
  readonly telemetry: Telemetry
  /** The audit records of tool calls. */
  readonly toolCalls: ToolCalls
  /** Tools of other MCP servers. */
  readonly externalTools: ExternalTools
  readonly feed: Feed
  readonly presence: PresenceReader & { pulse(beat: Beat): void }
  /** Contents of actors that are too large for their snapshots. */
  readonly contents: ContentReader & {
    keep(actorId: string, number: number, data: Uint8Array, at: number): Promise<void>
  }
  /** The bytes of files. */
  readonly blobs: Blobs
  readonly hashes: BlobHashes
  /** Returns the next `displayNumber` of a series. */
  readonly numbers: { nextNumber(series: string): Promise<number> }
  readonly operations: readonly Operation[]
  readonly objectTypes: readonly CatalogType[]
  /** Tools that MCP serves in addition to those of the catalog. */
  readonly tools?: readonly ServedTool[] | undefined
  /** Routes in addition to the gateway's own. */
  readonly routes?: readonly Route[] | undefined
  readonly ids: Ids
  readonly secrets: SecretKeys
  /** Encrypt values that are decrypted later: credentials, and the state of sign-ins. */
  readonly sealings: Sealings
  /** Sign values that callers store and send back. */
  readonly signings: Signings
  /** The client for addresses that a user, a document or another server provided. */
  readonly outbound: Outbound
  readonly passwords: PasswordHashing
  readonly log: Logger
  readonly metrics: Registry
  readonly agentProgram?: (() => Promise<DownloadedProgram>) | undefined
  readonly dsymClient?: (() => Promise<DownloadedProgram>) | undefined
  /** The pages for browsers. If omitted, none are served. */
  readonly site?: Site | undefined
  /** Describes the installation: this process, its database and its settings. */
  installation(): Promise<InstallationStatus>
  /** Whether the database answers and accepts writes. */
  healthy(): Promise<boolean>
  readonly clock: Clock
}
