/** What handlers may use of the request that they serve, and of the service. */
import type { Envelope } from '../../actors/messages.ts'
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
import type { SecretPrefix } from '../auth/tokens.ts'
import type { SealingPurpose } from '../secrets/appKeys.ts'
import type { Binding } from '../secrets/sealing.ts'
import type { Signings } from '../secrets/signing.ts'
import type { TypedViews } from './typedViews.ts'

/** What an operation may know of the request that it serves. Time and IDs are given, never taken. */
export interface RequestContext {
  readonly principal: Principal
  readonly requestId: string
  /** When the gateway received the request, milliseconds since 1970. */
  readonly now: number
  readonly views: TypedViews
  readonly telemetry: TelemetryReader
  readonly contents: ContentReader
  readonly presence: PresenceReader
  readonly tools: BuiltinTools
  readonly externalTools: ExternalDiscovery
  readonly toolCalls: ToolCallReader
  readonly operators: OperatorActionReader
  /** For what a caller keeps and brings back. */
  readonly signings: Signings
  /** Those in force. */
  readonly limits: Limits
  /** What runs here, as this process sees it. */
  installation(): Promise<InstallationStatus>
  /** The origin under which the caller reached the server, and where its agents connect. */
  readonly baseUrl: string
  readonly agentWsUrl: string
}

export interface MessageContext extends RequestContext {
  newId(kind: ActorKind): string
  /** A token of 256 random bits behind a prefix, and the SHA-256 (hexadecimal) that is kept of it. */
  newSecret(prefix: SecretPrefix): { readonly token: string; readonly hash: string }
  /** For what has to be read back; each call gives another text. */
  seal(purpose: SealingPurpose, secret: string, binding: Binding): string
  /** The next `displayNumber` of a series, from 1. Numbers may be skipped, never repeated. */
  nextNumber(series: string): Promise<number>
  /** argon2id; only for passwords. */
  hashPassword(password: string): Promise<string>
  verifyPassword(hash: string, password: string): Promise<boolean>
  /** An actor as this process knows it: from memory where it is live, else from views. For hot paths that check who owns what. */
  peek<K extends ActorKind>(ref: { readonly kind: K; readonly id: string }): Promise<TypedRow<K> | undefined>
  /** Milliseconds since the request was received. */
  spentMs(): number
  pulse(beat: Beat): void
  /** Keeps a piece of what belongs to an actor for as long as the actor; durable when it resolves. */
  keepContent(owner: string, number: number, data: Uint8Array): Promise<void>
  streamHead(stream: string): Promise<{ readonly first: number; readonly next: number; readonly ended: boolean }>
  /** On a socket: what is sent when it closes. `undefined` over HTTP. */
  readonly onDisconnect: ((envelope: Envelope) => void) | undefined
}

export type MaybePromise<T> = T | Promise<T>
