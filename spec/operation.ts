/**
 * An operation is declared once and served by every surface that it names. This file is the form of a declaration; the
 * declarations stand in one file for each domain object, and `operations.ts` is their list.
 *
 * - A query reads views.
 * - A mutation becomes a message for one actor, and its answer is made of the state that the message led to.
 * - A subscription names what is followed; each item becomes a payload.
 */
import type * as v from 'valibot'
import type { ActorEvent, ActorRef, ActorRow, JournalEntry, Json, StreamEntry } from './actor.ts'
import type { HistoryPosition } from './historyPosition.ts'
import type { ActorKind } from './ids.ts'
import type { InstallationStatus } from './installation.ts'
import type { Limits } from './limits.ts'
import type { OperatorAct } from './operatorAct.ts'
import type { OperatorDesk } from './operatorDesk.ts'
import type { Access, Principal } from './principal.ts'
import type { SealingPurpose } from './sealing/appKeys.ts'
import type { Binding } from './sealing/sealing.ts'
import type { Signings } from './sealing/signing.ts'
import type { TelemetryReader } from './telemetry/record.ts'
import type { ToolCallReader } from './tools/audit.ts'
import type { ExternalDiscovery } from './tools/external.ts'
import type { BuiltinTools, ToolFacts } from './tools/tool.ts'
import type { Schema } from './types.ts'
import type { Views } from './views.ts'

/** What an operation may know of the request that it serves. Time and IDs are given, never taken. */
export interface RequestContext {
  readonly principal: Principal
  readonly requestId: string
  /** When the gateway received the request, milliseconds since 1970. */
  readonly now: number
  readonly views: Views
  readonly telemetry: TelemetryReader
  readonly contents: ContentReader
  readonly presence: PresenceReader
  readonly tools: BuiltinTools
  readonly externalTools: ExternalDiscovery
  readonly toolCalls: ToolCallReader
  readonly operators: OperatorDesk
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

/** What a secret is for. Those of webhooks have the form of Standard Webhooks: 32 bytes in plain base64. */
export type SecretPrefix = 'svc_' | 'agent_' | 'enroll_' | 'session_' | 'whsec_'

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
  peek(ref: ActorRef): Promise<ActorRow | undefined>
  /** Milliseconds since the request was received. */
  spentMs(): number
  pulse(beat: Beat): void
  /** Appends to a stream (log chunks, run events), durable when it resolves; idempotent by sequence. */
  append(append: {
    readonly stream: string
    readonly sequence: number
    readonly entries: readonly { readonly kind: string; readonly data: Uint8Array }[]
  }): Promise<{ readonly next: number }>
  /** Keeps a piece of what belongs to an actor for as long as the actor; durable when it resolves. */
  keepContent(owner: string, number: number, data: Uint8Array): Promise<void>
  streamHead(stream: string): Promise<{ readonly first: number; readonly next: number; readonly ended: boolean }>
  /** On a socket: what is sent when it closes. `undefined` over HTTP. */
  readonly onDisconnect: ((envelope: Envelope) => void) | undefined
}

/** The large contents of actors. */
export interface ContentReader {
  /** The pieces in their order; none if there is no content. */
  read(owner: string): AsyncIterable<Uint8Array>
}

/** What memory knows of agents' heartbeats. */
export interface PresenceReader {
  /** Milliseconds since 1970 of the last heartbeat that any process saw. */
  lastSeen(agentId: string): number | undefined
  /** The epoch of the agent's connection to this process. */
  epoch(agentId: string): number | undefined
  /** Ended jobs of which the agent has not said that nothing is left; undefined where this process does not know. */
  loose(agentId: string): number | undefined
  /** How it counts; undefined where this process does not know. */
  status(agentId: string): string | undefined
}

/** What a heartbeat says of its machine. */
export interface Vitals {
  /** Processes that run or wait to run, over the last minute [getloadavg(3)]. */
  readonly load: number
  readonly freeMemoryBytes: number
}

/** A heartbeat: renews the agent's presence and the leases of the jobs that it says it runs. Writes nothing by itself. */
export interface Beat {
  readonly agentId: string
  readonly epoch: number
  readonly at: number
  readonly jobs: readonly { readonly jobId: string; readonly attempt: number }[]
  /** Undefined where the agent has only just connected. */
  readonly vitals?: Vitals
}

/** A message for an actor. With `create`, the actor is made and `event` is how the first journal row names it. */
export interface Envelope {
  readonly to: ActorRef
  readonly event: ActorEvent
  readonly create?: Readonly<Record<string, Json>>
  /** With `create`: where that exists already, under this unique name or without one by its ID, the answer is how it stands. */
  readonly orExisting?: { readonly uniqueKey?: string }
  /** What a later message of the same request makes by this one's leave: kept with the idempotency key, for a repeat. */
  readonly makes?: ActorRef
  /** What an operator does to it; `event` is what the actor hears of that. */
  readonly act?: OperatorAct
  /** Refused with CONFLICT where the actor has moved on from it. */
  readonly expectedSequence?: number
}

/** The state that a message led to. */
export interface Reply {
  readonly row: ActorRow
  /** True where an idempotency key or a repeat was answered as it was the first time: secrets are not shown again. */
  readonly repeated: boolean
  /** Of a repeat: what the first request has made, or was about to make (`Envelope.makes`). */
  readonly made?: ActorRef
}

interface Common<I extends Schema | undefined, O extends Schema> {
  readonly name: string
  readonly description: string
  /** The row of the credential matrix: who may ask. */
  readonly access: Access
  /** GraphQL arguments for queries and subscriptions. A mutation takes it as one argument `input`, unless `flatArguments`. */
  readonly input: I
  readonly output: O
  readonly deprecated?: string
}

type In<I> = I extends Schema ? v.InferOutput<I> : Record<string, never>
type Out<O extends Schema> = v.InferInput<O>
export type MaybePromise<T> = T | Promise<T>

export interface Query<I extends Schema | undefined = Schema | undefined, O extends Schema = Schema>
  extends Common<I, O> {
  readonly kind: 'query'
  /** Served as a tool, too. */
  readonly tool?: ToolFacts<In<I>>
  /** Cost units beside those of the selection; 1 where omitted. */
  readonly cost?: number
  /** Of a plain list: how many rows it has now. Read before the query is executed, since its cost depends on it. */
  rows?(input: In<I>, context: RequestContext): MaybePromise<number>
  read(input: In<I>, context: RequestContext): MaybePromise<Out<O>>
}

export interface Mutation<I extends Schema | undefined = Schema | undefined, O extends Schema = Schema>
  extends Common<I, O> {
  readonly kind: 'mutation'
  /** Served as a tool, too. */
  readonly tool?: ToolFacts<In<I>>
  /** Takes its fields as arguments of their own, where callers know it so. */
  readonly flatArguments?: boolean
  /** Limited by rate and not by cost: heartbeats and log appends. */
  readonly exemptFromCost?: boolean
  /** Its `idempotencyKey` is the machine's own affair: `enrollAgent` makes a new secret at each repeat. */
  readonly ownIdempotency?: boolean
  /**
   * How a repeat of its `idempotencyKey` is answered, where translating it anew could refuse it: of the reply to the message
   * with this index, the last one.
   */
  readonly repeat?: {
    readonly message: number
    answer(reply: Reply, context: MessageContext): MaybePromise<Out<O>>
  }
  /**
   * The message or messages that the request is translated into, with the answer made of the replies. Throws `Failure` where
   * the request can't be translated. What must be kept together is one message; several messages are several commits.
   */
  translate(input: In<I>, context: MessageContext): MaybePromise<Translation<Out<O>>>
}

export interface Translation<T> {
  /**
   * Sent in order, each after the one before succeeded: a refusal keeps the rest from being sent. One that depends on what an
   * earlier one made is built of the replies: a repeat after a crash in between goes on with what the first request made. What is
   * not needed this time is undefined, so that the others keep their places: idempotency keys go by them.
   */
  readonly messages: readonly (Envelope | ((replies: readonly Reply[]) => MaybePromise<Envelope>) | undefined)[]
  /** They do not depend on one another and may be sent at once. */
  readonly together?: boolean
  /** Each is sent at once and stands for itself: those that are refused keep none of the others from being carried out. */
  readonly apart?: boolean
  /**
   * How many messages each phase has. The messages of a phase are sent at once, after all of the phase before were answered;
   * each stands for itself, as with `apart`.
   */
  readonly phases?: readonly number[]
  /** Replies have the places of their messages; so has what was thrown, if messages are `apart` or in `phases`. */
  answer(replies: readonly Reply[], refusals: ReadonlyMap<number, unknown>): MaybePromise<T>
}

/** What a subscription follows. Stored items come first, then live ones, without a gap or a repeat. */
export type Topic =
  /** Entries of a stream after a sequence (exclusive; -1 is from the beginning). Ends with the stream. */
  | { readonly type: 'stream'; readonly name: string; readonly after: number }
  /** Steps of one actor after a sequence. */
  | { readonly type: 'transitions'; readonly id: string; readonly after?: number | undefined }
  /** Steps of a kind after a position; without one, from now on. */
  | { readonly type: 'kind'; readonly kind: ActorKind; readonly after?: HistoryPosition }
  /** Rows as they change; first those that there are, where they are wanted. */
  | {
      readonly type: 'rows'
      readonly kind: ActorKind
      readonly where: {
        readonly id?: string
        readonly agentId?: string
        readonly worktreeId?: string
        readonly scopeId?: string
      }
      /** `living`: only those that have not ended, of the agent in `where.agentId`. */
      readonly initial: 'none' | 'all' | 'living'
      /** With `where.id`: it ends with the row in which the actor is terminal, since nothing follows that. */
      readonly endsWithActor?: boolean
    }
  /** What is worked out of many rows: as it is, and then each time that it is another, a second or so after. */
  | {
      readonly type: 'watched'
      /** Those of one name are one. */
      readonly name: string
      /** A change of one of these may change it. */
      readonly kinds: readonly ActorKind[]
      /** It is read again after so long, for what comes by time alone, ms. */
      readonly everyMs: number
      read(sources: Pick<RequestContext, 'views' | 'now'>): Promise<object>
    }

export type TopicItem =
  | { readonly type: 'entry'; readonly entry: StreamEntry }
  /** With its position where a kind is followed. */
  | { readonly type: 'step'; readonly step: JournalEntry; readonly position?: HistoryPosition }
  | { readonly type: 'row'; readonly row: ActorRow }
  /** `version` counts from 1 in this process. */
  | { readonly type: 'value'; readonly value: object; readonly version: number }

export interface Subscription<I extends Schema | undefined = Schema | undefined, O extends Schema = Schema>
  extends Common<I, O> {
  readonly kind: 'subscription'
  /** Checks that the caller may see it, and says what is followed. Throws `Failure`. */
  follow(input: In<I>, context: RequestContext): MaybePromise<Topic>
  /**
   * Makes a payload of an item; `undefined` passes it over. A function of the item and the input alone (and of views), so
   * that one payload can be made once for all who follow the same with the same document.
   */
  payload(item: TopicItem, input: In<I>, context: RequestContext): MaybePromise<Out<O> | undefined>
}

export type Operation = Query | Mutation | Subscription

export function query<const I extends Schema | undefined, const O extends Schema>(
  operation: Omit<Query<I, O>, 'kind'>,
): Query<I, O> {
  return Object.freeze({ kind: 'query', ...operation })
}

export function mutation<const I extends Schema | undefined, const O extends Schema>(
  operation: Omit<Mutation<I, O>, 'kind'>,
): Mutation<I, O> {
  return Object.freeze({ kind: 'mutation', ...operation })
}

export function subscription<const I extends Schema | undefined, const O extends Schema>(
  operation: Omit<Subscription<I, O>, 'kind'>,
): Subscription<I, O> {
  return Object.freeze({ kind: 'subscription', ...operation })
}

/** An object that is made of an actor's row, as those who ask see it. */
export type Made = Readonly<Record<string, unknown>>

/** Fields of an object that lead to other objects. They load in batches: one query for each relation and level. */
export type Relation =
  | {
      readonly type: 'one'
      readonly target: string
      /** The parent's field that holds the other's ID, or null. */
      readonly by: string
    }
  | {
      readonly type: 'many'
      readonly target: string
      readonly kind: ActorKind
      /** The others' column that holds the parent's ID. */
      readonly by: 'agentId' | 'worktreeId' | 'scopeId'
      /** At most so many, newest first. A relation made by `countOf` beside it says how many there are. */
      readonly limit: number
      /** Only those that are, or are not, terminal. */
      readonly terminal?: boolean
    }
  | {
      /** What is worked out of other rows and collections: one call for all parents of a level, answers in their order. */
      readonly type: 'derived'
      readonly output: Schema
      load(
        parents: readonly Made[],
        context: Pick<RequestContext, 'views' | 'presence' | 'now'>,
      ): Promise<readonly unknown[]>
    }

export type Relations = Readonly<
  Record<string, Relation & { readonly description: string; readonly nullable: boolean }>
>

/** An object of the GraphQL schema that is made of an actor's row. */
export interface ObjectType<S extends Schema = Schema> {
  readonly name: string
  readonly kind: ActorKind
  readonly schema: S
  /** The interface it implements, by name: `Run`. Its fields are the implementing objects' common ones. */
  readonly implements?: string
  readonly relations: Relations
  /** The object for a row. `__typename` is added where an interface needs it. */
  fromRow(row: ActorRow, context: Pick<RequestContext, 'presence' | 'now'>): v.InferInput<S>
}
