/**
 * An operation with its handler: what is declared in `spec/`, and how it is carried out here.
 *
 * - A query reads views.
 * - A mutation becomes messages for actors, and its answer is made of the states that the messages led to.
 * - An append names a stream and the entries that are stored in it.
 * - A heartbeat renews a presence in memory, and may become messages.
 * - A subscription names what is followed; each item becomes a payload.
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
import type { Append as StreamAppend } from '../../storage/ports/streams.ts'
import type { Envelope, Reply } from '../messages.ts'
import type { Additions } from './objectType.ts'
import type { MaybePromise, PortName, ReadPorts, RequestContext } from './requestContext.ts'
import type { Touched } from './tools/touched.ts'

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
  read(input: Input<I>, context: RequestContext<P>): MaybePromise<Output<O>>
  /** Of a tool: fields of its objects that GraphQL loads only when they are asked for, and a model would miss. */
  readonly additions?: Additions
  /**
   * Of a tool: what the call would touch. A run that calls it may touch nothing but runs that it has started itself, and the
   * repository that it works on. Omitted where the tool touches neither.
   */
  touches?(input: Input<I>, context: Pick<RequestContext, 'views'>): MaybePromise<Touched>
}

interface MutationHandler<I extends Schema | undefined, O extends Schema, P extends PortName>
  extends Pick<QueryHandler<I, O, P>, 'touches' | 'listCounts'> {
  /**
   * How a repeat of its `idempotencyKey` is answered, where translating it anew could refuse it: of the reply to the message
   * with this index, the last one.
   */
  readonly repeat?: {
    readonly message: number
    readonly answer: (reply: Reply, context: RequestContext<P>) => MaybePromise<Output<O>>
  }
  /**
   * The message or messages that the request is translated into, with the answer made of the replies. Throws `Failure` where
   * the request can't be translated. What must be kept together is one message; several messages are several commits.
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
  /** Checks that the caller may see it, and says what is followed. Throws `Failure`. */
  follow(input: Input<I>, context: RequestContext<P>): MaybePromise<Topic>
  /**
   * Makes a payload of an item; `undefined` passes it over. A function of the item and the input alone (and of views), so
   * that one payload can be made once for all who follow the same with the same document.
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

/** The same functions, whose parameters TypeScript compares strictly. Those of methods it does not. */
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
