/** The request that a handler serves, and the ports of the service. A handler has the ports that it names (`handler.ts`). */
import type { Beat, PresenceReader } from '../../actors/ports/presence.ts'
import type { TypedRow } from '../../machines/rows.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { Limits } from '../../spec/core/limits.ts'
import type { Principal } from '../../spec/core/principal.ts'
import type { OperatorActionReader } from '../../spec/operators/operatorActionReader.ts'
import type { InstallationStatus } from '../../spec/settings/installation.ts'
import type { TelemetryReader } from '../../spec/telemetry/record.ts'
import type { ToolCallReader } from '../../spec/tools/audit.ts'
import type { ExternalDiscovery } from '../../spec/tools/external.ts'
import type { BuiltinTools } from '../../spec/tools/tool.ts'
import type { ContentReader } from '../../storage/ports/contents.ts'
import type { Streams } from '../../storage/ports/streams.ts'
import type { SecretPrefix } from '../auth/tokens.ts'
import type { Envelope } from '../messages.ts'
import type { SealingPurpose } from '../secrets/appKeys.ts'
import type { Binding, Opened } from '../secrets/sealing.ts'
import type { Signings } from '../secrets/signing.ts'
import type { RawCrashReports } from './apps/rawReports/rawCrashReports.ts'
import type { CrashThreads } from './apps/threads/crashThreads.ts'
import type { DetectedServerUrls } from './builds/detectServerUrls.ts'
import type { TypedViews } from './typedViews.ts'

/** The facts of one request. A handler takes time and IDs from its context, never from a clock or a random source. */
export interface RequestFacts {
  readonly principal: Principal
  readonly requestId: string
  /** When the gateway received the request, milliseconds since 1970. */
  readonly now: number
  /** Milliseconds since the request was received. */
  spentMs(): number
  /** The origin at which the caller reached the server. */
  readonly baseUrl: string
  /** The origin that a trusted proxy reports for the request. Null without one, and for the requests of actors. */
  readonly forwardedOrigin: string | null
  /** The address at which agents of this caller connect. */
  readonly agentWsUrl: string
  /** Registers a message that is sent when the socket closes. `undefined` over HTTP. */
  readonly onDisconnect: ((envelope: Envelope) => void) | undefined
}

/** Ports that change nothing. */
export interface ReadPorts {
  readonly views: TypedViews
  readonly actors: ActorReader
  readonly presence: PresenceReader
  readonly streams: Pick<Streams, 'head'>
  readonly contents: ContentReader
  readonly crashThreads: Pick<CrashThreads, 'open'>
  readonly rawCrashReports: Pick<RawCrashReports, 'find' | 'read'>
  readonly telemetry: TelemetryReader
  readonly toolCalls: ToolCallReader
  readonly tools: BuiltinTools
  readonly externalTools: ExternalDiscovery
  readonly operators: OperatorActionReader
  /** Signs values that a caller stores and sends back. */
  readonly signings: Signings
  /** Detects the origins at which this process is reached. */
  readonly serverUrls: { detect(): DetectedServerUrls }
  /** The limits of the settings. */
  readonly limits: Limits
  /** The state of this process and of its database. */
  installation(): Promise<InstallationStatus>
}

export interface ActorReader {
  /** Returns an actor from memory if it is loaded in this process, otherwise from views. For hot paths that check the owner. */
  peek<K extends ActorKind>(ref: { readonly kind: K; readonly id: string }): Promise<TypedRow<K> | undefined>
}

/** Ports that queries and subscriptions cannot name. */
export interface WritePorts {
  readonly ids: NewIds
  readonly secrets: NewSecrets
  readonly heartbeats: { pulse(beat: Beat): void }
  readonly contentStore: ContentStore
  readonly crashThreadStore: Pick<CrashThreads, 'keep'>
  readonly rawCrashReportStore: Pick<RawCrashReports, 'keep'>
}

export interface NewIds {
  newId(kind: ActorKind): string
  /** The next `displayNumber` of a series, from 1. Numbers may be skipped, never repeated. */
  nextNumber(series: string): Promise<number>
}

export interface NewSecrets {
  /** Returns a token: a prefix and 256 random bits. `hash` is its SHA-256 (hexadecimal), which is stored instead of it. */
  newSecret(prefix: SecretPrefix): { readonly token: string; readonly hash: string }
  /** Encrypts a secret that must be read again. Each call returns another text. */
  seal(purpose: SealingPurpose, secret: string, binding: Binding): string
  /** Decrypts a secret that an agent needs. Only mutations can: no query returns a secret. Never throws. */
  open(purpose: 'signingAsset', sealed: string, binding: Binding): Opened
}

export interface ContentStore {
  /** Stores a piece of the content of an actor, until the actor is purged. It is durable when the promise resolves. */
  keep(owner: string, number: number, data: Uint8Array): Promise<void>
}

export interface Ports extends ReadPorts, WritePorts {}
export type PortName = keyof Ports

/** The facts of the request and the named ports. Without names: all ports. */
export type RequestContext<P extends PortName = PortName> = RequestFacts & Pick<Ports, P>

export type MaybePromise<T> = T | Promise<T>
