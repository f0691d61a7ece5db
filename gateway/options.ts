/** What the gateway needs of the rest of the program. `main.ts` gives the real things, tests give fakes. */
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
import type { ServedTool } from './operations/tools/served.ts'
import type { TypedViews } from './operations/typedViews.ts'
import type { Sealings } from './secrets/sealing.ts'
import type { Signings } from './secrets/signing.ts'

export interface GatewaySettings {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly agentWsPort: number
  /** Where agents connect; derived from the request where it is not given. */
  readonly agentWsUrl?: string | undefined
  /** Origin under which callers from outside reach the server. */
  readonly publicBaseUrl?: string | undefined
  readonly appOrigins?: readonly string[] | undefined
  /** Whose `X-Forwarded-For` and `-Proto` count. */
  readonly trustedProxies?: BlockList | undefined
  readonly metrics?: { readonly port: number; readonly host: string } | undefined
  readonly production: boolean
  /** `GRAPHQL_SANDBOX`: introspection, suggestions and GraphiQL in production too. */
  readonly graphqlSandbox: boolean
  readonly authMode: 'password' | 'oidc' | 'both'
  /** There unless `authMode` is `password`. */
  readonly identityProvider?: IdentityProvider | undefined
  /** Signs the profiles that enroll devices. */
  readonly deviceProfile?: DeviceProfile | undefined
  /** Certificates in PEM of who issues devices' own; without them any will do. */
  readonly deviceAuthorities?: readonly string[] | undefined
  readonly limits?: Partial<Limits> | undefined
}

/** Texts in PEM. */
export interface DeviceProfile {
  /** The signer's own first, then those of who issued it. */
  readonly certificates: readonly string[]
  readonly key: string
}

/** Key IDs of `APP_SECRET` and, where given, `APP_SECRET_PREVIOUS`. */
export interface SecretKeys {
  readonly currentKeyId: string
  readonly acceptedKeyIds: readonly string[]
}

export interface PasswordHashing {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

/** The agent program as it is handed out; `sha256` is hexadecimal. */
export interface AgentProgram {
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
  /** Calls of tools, which are audited. */
  readonly toolCalls: ToolCalls
  /** Tools of other MCP servers. */
  readonly externalTools: ExternalTools
  readonly feed: Feed
  readonly presence: PresenceReader & { pulse(beat: Beat): void }
  /** What belongs to actors and is too large for their snapshots. */
  readonly contents: ContentReader & {
    keep(owner: string, number: number, data: Uint8Array, at: number): Promise<void>
  }
  /** `displayNumber` series. */
  readonly numbers: { nextNumber(series: string): Promise<number> }
  readonly operations: readonly Operation[]
  readonly objectTypes: readonly CatalogType[]
  /** Tools that MCP serves beside those of the catalog. */
  readonly tools?: readonly ServedTool[] | undefined
  /** Routes beside the gateway's own. */
  readonly routes?: readonly Route[] | undefined
  readonly ids: Ids
  readonly secrets: SecretKeys
  /** For what has to be read back: credentials, and sign-ins under way. */
  readonly sealings: Sealings
  /** For what callers keep and bring back. */
  readonly signings: Signings
  /** For addresses that a user, a document or a peer gave. */
  readonly outbound: Outbound
  readonly passwords: PasswordHashing
  readonly log: Logger
  readonly metrics: Registry
  readonly agentProgram?: (() => Promise<AgentProgram>) | undefined
  /** The pages for people; without them there are none. */
  readonly site?: Site | undefined
  /** What runs here: this process, its database and its settings. */
  installation(): Promise<InstallationStatus>
  /** Whether the database answers. */
  healthy(): Promise<boolean>
  readonly clock: Clock
}
