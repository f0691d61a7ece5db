/** The place of an operation in the schema. GraphQL has three kinds of operations: to it, appends and heartbeats are mutations. */
import type { Operation } from '../../operations/handler.ts'

export type RootType = 'query' | 'mutation' | 'subscription'

export function rootTypeOf({ kind }: Pick<Operation, 'kind'>): RootType {
  return kind === 'query' || kind === 'subscription' ? kind : 'mutation'
}

/** Whether its fields are those of one argument `input`. */
export function takesOneInput(operation: Operation): boolean {
  if (operation.kind === 'mutation') return operation.flatArguments !== true
  return rootTypeOf(operation) === 'mutation'
}
