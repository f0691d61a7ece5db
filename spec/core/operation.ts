/**
 * The type of an operation's declaration. Each domain object has a file with its declarations. `../operations.ts` lists them, and
 * `gateway/operations/` has their handlers.
 */
import type * as v from 'valibot'
import type { ToolFacts } from '../tools/toolFacts.ts'
import type { Access } from './principal.ts'
import type { Schema } from './types.ts'

interface Declaration<I extends Schema | undefined, O extends Schema> {
  readonly name: string
  readonly description: string
  /** The row of the credential matrix: the principals with access. */
  readonly access: Access
  /** GraphQL arguments for queries and subscriptions. A mutation takes it as one argument `input`, unless `flatArguments`. */
  readonly input: I
  readonly output: O
  readonly deprecated?: string
}

export type Input<I> = I extends Schema ? v.InferOutput<I> : Record<string, never>
export type Output<O extends Schema> = v.InferInput<O>

/** The input of an operation, as a client sends it. */
export type InputOf<D extends OperationDeclaration> = D extends { readonly input: infer I extends Schema }
  ? v.InferInput<I>
  : Record<string, never>
/** The output of an operation, as a client receives it. */
export type OutputOf<D extends OperationDeclaration> = Output<D['output']>

export interface QueryDeclaration<I extends Schema | undefined = Schema | undefined, O extends Schema = Schema>
  extends Declaration<I, O> {
  readonly kind: 'query'
  /** Set if the operation is also served as a tool. */
  readonly tool?: ToolFacts
  /** Cost units in addition to those of the selection; 1 if omitted. */
  readonly cost?: number
}

export interface MutationDeclaration<I extends Schema | undefined = Schema | undefined, O extends Schema = Schema>
  extends Declaration<I, O> {
  readonly kind: 'mutation'
  /** Set if the operation is also served as a tool. */
  readonly tool?: ToolFacts
  /** Takes its fields as arguments of their own, because existing callers expect that. */
  readonly flatArguments?: boolean
  /** Limited by rate and not by cost: reports of agents. */
  readonly exemptFromCost?: boolean
  /** The machine itself handles its `idempotencyKey`: `enrollAgent` creates a new secret at each repeat. */
  readonly ownIdempotency?: boolean
}

/** Appends entries to a stream. It is idempotent by sequence, and limited by rate and not by cost. GraphQL calls it a mutation. */
export interface AppendDeclaration<I extends Schema | undefined = Schema | undefined, O extends Schema = Schema>
  extends Declaration<I, O> {
  readonly kind: 'append'
}

/**
 * Renews the presence of its caller, which is kept in memory. A message is sent only if a state changes. It is limited by rate and not
 * by cost. GraphQL calls it a mutation.
 */
export interface HeartbeatDeclaration<I extends Schema | undefined = Schema | undefined, O extends Schema = Schema>
  extends Declaration<I, O> {
  readonly kind: 'heartbeat'
}

export interface SubscriptionDeclaration<I extends Schema | undefined = Schema | undefined, O extends Schema = Schema>
  extends Declaration<I, O> {
  readonly kind: 'subscription'
}

/** A declaration's type includes its name, so that a client can name an operation and have its types. */
interface Named<N extends string> {
  readonly name: N
}

export type OperationDeclaration =
  | QueryDeclaration
  | MutationDeclaration
  | AppendDeclaration
  | HeartbeatDeclaration
  | SubscriptionDeclaration

export function query<const N extends string, const I extends Schema | undefined, const O extends Schema>(
  declaration: Omit<QueryDeclaration<I, O>, 'kind'> & Named<N>,
): QueryDeclaration<I, O> & Named<N> {
  return Object.freeze({ kind: 'query', ...declaration })
}

export function mutation<const N extends string, const I extends Schema | undefined, const O extends Schema>(
  declaration: Omit<MutationDeclaration<I, O>, 'kind'> & Named<N>,
): MutationDeclaration<I, O> & Named<N> {
  return Object.freeze({ kind: 'mutation', ...declaration })
}

export function append<const N extends string, const I extends Schema | undefined, const O extends Schema>(
  declaration: Omit<AppendDeclaration<I, O>, 'kind'> & Named<N>,
): AppendDeclaration<I, O> & Named<N> {
  return Object.freeze({ kind: 'append', ...declaration })
}

export function heartbeat<const N extends string, const I extends Schema | undefined, const O extends Schema>(
  declaration: Omit<HeartbeatDeclaration<I, O>, 'kind'> & Named<N>,
): HeartbeatDeclaration<I, O> & Named<N> {
  return Object.freeze({ kind: 'heartbeat', ...declaration })
}

export function subscription<const N extends string, const I extends Schema | undefined, const O extends Schema>(
  declaration: Omit<SubscriptionDeclaration<I, O>, 'kind'> & Named<N>,
): SubscriptionDeclaration<I, O> & Named<N> {
  return Object.freeze({ kind: 'subscription', ...declaration })
}
