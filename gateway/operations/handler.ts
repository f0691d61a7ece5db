/**
 * An operation is a declaration of `spec/` and its handler.
 *
 * - A query reads views.
 * - A mutation sends messages to actors. Its answer is made from the actors' states after the messages.
 * - An append stores entries in a stream.
 * - A heartbeat renews a presence in memory, and may send messages.
 * - A subscription follows a topic. Each item of the topic becomes a payload.
 */
import type { Beat } from '../../actors/ports/presence.ts'
import type { ActorRow, JournalEntry, StreamEntry } from '../../spec/core/actor.ts'
import type { HistoryPosition } from '../../spec/core/historyPosition.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type {
  AppendDeclaration,
  HeartbeatDeclaration,
  Input,
  MutationDeclaration,
  OperationDeclaration,
  Output,
  QueryDeclaration,
  SubscriptionDeclaration,
} from '../../spec/core/operation.ts'
import type { Schema } from '../../spec/core/types.ts'
import type { StoredTelemetry, TelemetryKind } from '../../spec/telemetry/record.ts'
import type { Append as StreamAppend } from '../../storage/ports/streams.ts'
import type { TelemetryStreamPosition } from '../../storage/ports/telemetry.ts'
import type { Envelope, Reply } from '../messages.ts'
import type { Countable } from './core/connections.ts'
import type { Additions } from './objectType.ts'
import type { MaybePromise, PortName, ReadPorts, RequestContext } from './requestContext.ts'
import type { TouchedObjects } from './tools/touched.ts'

/** The sizes of the lists in an answer, before the answer is made. */
export interface ListCounts {
  /** The number of items, if the field is a list. */
  readonly items?: number
  /** The lists in its objects, by their fields: `items` is the total of all objects. */
  readonly lists?: Readonly<Record<string, ListCounts>>
}

interface QueryHandler<I extends Schema | undefined, O extends Schema, P extends PortName> {
  /** The sizes of the lists in its answer, if no fixed limit is low enough. Read before the query is executed: its cost depends on them. */
  listCounts?(input: Input<I>, context: RequestContext<P>): MaybePromise<ListCounts>
  read(input: Input<I>, context: RequestContext<P>): MaybePromise<Countable<Output<O>>>
  /** For a tool: fields that GraphQL loads only on request. The tool's answer contains them, because a model cannot request them. */
  readonly additions?: Additions
  /**
   * For a tool: the runs and the repository that the call would change. A run may change only runs that it has started, and its own
   * repository. Omitted if the tool changes neither.
   */
  touches?(input: Input<I>, context: Pick<RequestContext, 'views'>): MaybePromise<TouchedObjects>
}

interface MutationHandler<I extends Schema | undefined, O extends Schema, P extends PortName>
  extends Pick<QueryHandler<I, O, P>, 'touches' | 'listCounts'> {
  /**
   * The answer to a repeat with the same `idempotencyKey`, made from the reply to the message with this index, which is the last one.
   * It is required if `translate` could refuse the repeat.
   */
  readonly repeat?: {
    readonly message: number
    readonly answer: (reply: Reply, context: RequestContext<P>) => MaybePromise<Output<O>>
    /** The answer while the object that the first request has requested does not exist yet. If it is omitted, the repeat is translated. */
    pending?(id: string, input: Input<I>, context: RequestContext<P>): MaybePromise<Output<O>>
  }
  /**
   * Translates the request into messages, and makes the answer from the replies. Throws `Failure` if the request is refused. Each
   * message is a commit of its own, so changes that must be atomic are one message.
   */
  translate(input: Input<I>, context: RequestContext<P>): MaybePromise<Translation<Output<O>>>
}

interface AppendHandler<I extends Schema | undefined, O extends Schema, P extends PortName> {
  /** Throws `Failure` if the entries are refused. */
  append(input: Input<I>, context: RequestContext<P>): MaybePromise<AppendPlan<Output<O>>>
}

interface HeartbeatHandler<I extends Schema | undefined, O extends Schema, P extends PortName> {
  /** The presence that is renewed. It is renewed even if `react` fails, because the database is unavailable. */
  beat(input: Input<I>, context: RequestContext<P>): MaybePromise<Beat>
  react(input: Input<I>, context: RequestContext<P>): MaybePromise<Reaction<Output<O>>>
}

interface SubscriptionHandler<I extends Schema | undefined, O extends Schema, P extends PortName> {
  /** Checks that the caller may follow the topic, and returns it. Throws `Failure`. */
  follow(input: Input<I>, context: RequestContext<P>): MaybePromise<Topic>
  /**
   * Makes the payload of an item. `undefined` skips the item. It depends only on the item, the input and views, so that subscribers
   * with the same topic and document share one payload.
   */
  payload(item: TopicItem, input: Input<I>, context: RequestContext<P>): MaybePromise<Output<O> | undefined>
}

type Any = Schema | undefined

interface NamedPorts {
  /** The ports that the handler has named. */
  readonly ports: readonly PortName[]
}

export interface Query<I extends Any = Any, O extends Schema = Schema>
  extends QueryDeclaration<I, O>,
    QueryHandler<I, O, PortName>,
    NamedPorts {}
export interface Mutation<I extends Any = Any, O extends Schema = Schema>
  extends MutationDeclaration<I, O>,
    MutationHandler<I, O, PortName>,
    NamedPorts {}
export interface Append<I extends Any = Any, O extends Schema = Schema>
  extends AppendDeclaration<I, O>,
    AppendHandler<I, O, PortName>,
    NamedPorts {}
export interface Heartbeat<I extends Any = Any, O extends Schema = Schema>
  extends HeartbeatDeclaration<I, O>,
    HeartbeatHandler<I, O, PortName>,
    NamedPorts {}
export interface Subscription<I extends Any = Any, O extends Schema = Schema>
  extends SubscriptionDeclaration<I, O>,
    SubscriptionHandler<I, O, PortName>,
    NamedPorts {}

/** An operation with one answer. */
export type CallableOperation = Query | Mutation | Append | Heartbeat
export type Operation = CallableOperation | Subscription

type HandlerOf<D, P extends PortName> =
  D extends QueryDeclaration<infer I, infer O>
    ? QueryHandler<I, O, P>
    : D extends MutationDeclaration<infer I, infer O>
      ? MutationHandler<I, O, P>
      : D extends AppendDeclaration<infer I, infer O>
        ? AppendHandler<I, O, P>
        : D extends HeartbeatDeclaration<infer I, infer O>
          ? HeartbeatHandler<I, O, P>
          : D extends SubscriptionDeclaration<infer I, infer O>
            ? SubscriptionHandler<I, O, P>
            : never

/** The ports that the operations of a kind may name. */
type PortOf<D extends OperationDeclaration> = D['kind'] extends 'query' | 'subscription' ? keyof ReadPorts : PortName

/** The methods as function properties: TypeScript compares their parameters strictly, but those of methods not. */
type Strict<H> = {
  [K in keyof H]: H[K] extends ((...given: infer A) => infer R) | undefined ? (...given: A) => R : H[K]
}

/** @param ports the ports that its functions use. They have no others */
export function handle<const D extends OperationDeclaration, const P extends PortOf<D>>(
  declaration: D,
  ports: readonly P[],
  handler: Strict<HandlerOf<D, P>>,
): D & HandlerOf<D, P> & NamedPorts {
  return Object.assign({}, declaration, handler as HandlerOf<D, P>, { ports })
}

export interface Translation<T> {
  /**
   * The messages in their order. Each is sent after the previous one succeeded, so none is sent after a refusal. A message that depends
   * on an earlier one is a function of the replies: so a repeat after a crash continues with the objects of the first request. A message
   * that is not needed is undefined, or its function returns undefined: the others keep their indexes, from which their idempotency keys
   * are made.
   */
  readonly messages: readonly (
    | Envelope
    | ((replies: readonly Reply[]) => MaybePromise<Envelope | undefined>)
    | undefined
  )[]
  /** The messages do not depend on each other and may be sent at once. */
  readonly together?: boolean
  /** All messages are sent at once. A refused message does not prevent the others. */
  readonly apart?: boolean
  /**
   * The number of messages in each phase. The messages of a phase are sent at once, after all of the previous phase were answered. A
   * refused message does not prevent the others, as with `apart`.
   */
  readonly phases?: readonly number[]
  /** Replies have the indexes of their messages. So have the errors of refused messages, if messages are `apart` or in `phases`. */
  answer(replies: readonly Reply[], refusals: ReadonlyMap<number, unknown>): MaybePromise<T>
}

/** The entries of one append. They are stored before `message` is sent, and both before the answer. */
export interface AppendPlan<T> extends Omit<StreamAppend, 'at' | 'end'> {
  readonly message?: Envelope
  /** @param next the stream's next sequence. If entries are missing before those of this append, none of these is stored. */
  answer(next: number): T
}

/** The messages that follow from a heartbeat. They are sent in order. */
export interface Reaction<T> {
  readonly messages: readonly Envelope[]
  readonly answer: T
}

/** The items that a subscription follows. Stored items come first, then live ones, without a gap or a repeat. */
export type Topic =
  /** The entries of a stream after a sequence (exclusive, -1 for all). The subscription ends with the stream. */
  | { readonly type: 'stream'; readonly name: string; readonly after: number }
  /** The transitions of one actor after a sequence. */
  | { readonly type: 'transitions'; readonly id: string; readonly after?: number | undefined }
  /** The transitions of a kind after a position. Without a position: from now on. */
  | { readonly type: 'kind'; readonly kind: ActorKind; readonly after?: HistoryPosition }
  /** The telemetry of a kind after a position. Without a position: from now on. */
  | { readonly type: 'telemetry'; readonly kind: TelemetryKind; readonly after?: TelemetryStreamPosition }
  /** Rows as they change, after the existing rows if `initial` requests them. */
  | {
      readonly type: 'rows'
      readonly kind: ActorKind
      readonly where: {
        readonly id?: string
        readonly agentId?: string
        readonly worktreeId?: string
        readonly scopeId?: string
      }
      /** `living`: only rows that are not terminal, of the agent in `where.agentId`. */
      readonly initial: 'none' | 'all' | 'living'
      /** With `where.id`: the subscription ends when the actor is terminal. */
      readonly endsWithActor?: boolean
    }
  /** A live query: a value that is computed from many rows. It sends the current value, and about a second after each change the new one. */
  | {
      readonly type: 'watched'
      /** Live queries with the same name share one read. */
      readonly name: string
      /** A change of an actor of these kinds may change the value. */
      readonly kinds: readonly ActorKind[]
      /** The value is read again after this time, in milliseconds, for changes that follow from time alone. */
      readonly everyMs: number
      read(sources: Pick<RequestContext, 'views' | 'now'>): Promise<object>
    }

export type TopicItem =
  | { readonly type: 'entry'; readonly entry: StreamEntry }
  /** It has a position if a kind is followed. */
  | { readonly type: 'transition'; readonly transition: JournalEntry; readonly position?: HistoryPosition }
  | { readonly type: 'telemetry'; readonly record: StoredTelemetry; readonly position: TelemetryStreamPosition }
  | { readonly type: 'row'; readonly row: ActorRow }
  /** `version` counts from 1 in this process. */
  | { readonly type: 'value'; readonly value: object; readonly version: number }
