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
import type { Binding } from '../secrets/sealing.ts'
import type { Signings } from '../secrets/signing.ts'
import type { TypedViews } from './typedViews.ts'

/** The facts of one request. Time and IDs are given to a handler. It never takes them from a clock or a random source. */
export interface RequestFacts {
  readonly principal: Principal
  readonly requestId: string
  /** When the gateway received the request, milliseconds since 1970. */
  readonly now: number
  /** Milliseconds since the request was received. */
  spentMs(): number
  /** The origin under which the caller reached the server, and where its agents connect. */
  readonly baseUrl: string
  readonly agentWsUrl: string
  /** On a socket: registers a message that is sent when it closes. `undefined` over HTTP. */
  readonly onDisconnect: ((envelope: Envelope) => void) | undefined
}

/** Ports that change nothing. */
export interface ReadPorts {
  readonly views: TypedViews
  readonly actors: ActorReader
  readonly presence: PresenceReader
  readonly streams: Pick<Streams, 'head'>
  readonly contents: ContentReader
  readonly telemetry: TelemetryReader
  readonly toolCalls: ToolCallReader
  readonly tools: BuiltinTools
  readonly externalTools: ExternalDiscovery
  readonly operators: OperatorActionReader
  /** Signs what a caller keeps and brings back. */
  readonly signings: Signings
  /** Those in force. */
  readonly limits: Limits
  /** The state of this process and of its database. */
  installation(): Promise<InstallationStatus>
}

export interface ActorReader {
  /** An actor as this process knows it: from memory if it is live, else from views. For hot paths that check who owns what. */
  peek<K extends ActorKind>(ref: { readonly kind: K; readonly id: string }): Promise<TypedRow<K> | undefined>
}

/** Ports that queries and subscriptions cannot name. */
export interface WritePorts {
  readonly ids: NewIds
  readonly secrets: NewSecrets
  readonly heartbeats: { pulse(beat: Beat): void }
  readonly contentStore: ContentStore
}

export interface NewIds {
  newId(kind: ActorKind): string
  /** The next `displayNumber` of a series, from 1. Numbers may be skipped, never repeated. */
  nextNumber(series: string): Promise<number>
}

export interface NewSecrets {
  /** A token of 256 random bits behind a prefix, and the SHA-256 (hexadecimal) that is kept of it. */
  newSecret(prefix: SecretPrefix): { readonly token: string; readonly hash: string }
  /** For what has to be read back; each call gives another text. */
  seal(purpose: SealingPurpose, secret: string, binding: Binding): string
}

export interface ContentStore {
  /** Keeps a piece of what belongs to an actor for as long as the actor; durable when it resolves. */
  keep(owner: string, number: number, data: Uint8Array): Promise<void>
}

export interface Ports extends ReadPorts, WritePorts {}
export type PortName = keyof Ports

/** The facts of the request and the named ports. Without names: all ports. */
export type RequestContext<P extends PortName = PortName> = RequestFacts & Pick<Ports, P>

export type MaybePromise<T> = T | Promise<T>
