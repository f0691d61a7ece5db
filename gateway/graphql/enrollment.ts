/**
 * The only operation without a credential: an agent enrolls with a one-time token. Any other request is rejected, in most cases
 * before it is parsed.
 */

import { type GraphQLSchema, getArgumentValues, getVariableValues, Kind, visit } from 'graphql'
import type { Failure } from '../../spec/core/failure.ts'
import type { Principal } from '../../spec/core/principal.ts'
import { needsCredential } from '../auth/access.ts'
import type { Authenticator } from '../auth/authenticate.ts'
import type { GraphqlEngine } from './engine.ts'
import type { Prepared } from './pipeline/prepared.ts'
import type { Parameters } from './schema/parameters.ts'

export interface Enrolling {
  readonly principal: Principal
  readonly token: string
}

const refused = (): Failure => needsCredential('graphql')

/** @param raw the unparsed request. @throws Failure UNAUTHENTICATED */
export async function enrolling(raw: string, authenticator: Authenticator, address: string): Promise<Enrolling> {
  const [token, ...more] = raw.match(/enroll_[A-Za-z0-9_-]*/g) ?? []
  if (token === undefined || more.length > 0) throw refused()
  return { principal: await authenticator.enrollment(token, address), token }
}

/** Prepares the operation of a caller without a credential. The response gives no details of an error. */
export function prepareEnrolling(parameters: Parameters, guest: Enrolling, engine: GraphqlEngine): Prepared {
  let prepared: Prepared
  try {
    prepared = engine.prepare(parameters, guest.principal)
  } catch {
    throw refused()
  }
  checkEnrolling(prepared, parameters, guest, engine.schema)
  return prepared
}

/** Checks that the document has one operation with one field, no alias, fragment or directive, and the token that was looked up. */
function checkEnrolling(
  { document, operation }: Prepared,
  { variables }: Parameters,
  { token }: Enrolling,
  schema: GraphQLSchema,
): void {
  const [selection, ...others] = operation.selectionSet.selections
  if (document.definitions.length !== 1 || operation.operation !== 'mutation' || others.length > 0) throw refused()
  if (selection?.kind !== Kind.FIELD || selection.name.value !== 'enrollAgent') throw refused()
  visit(document, {
    Directive: () => {
      throw refused()
    },
    FragmentSpread: () => {
      throw refused()
    },
    InlineFragment: () => {
      throw refused()
    },
    Field: (field) => {
      if (field.alias) throw refused()
    },
  })
  const field = schema.getMutationType()?.getFields().enrollAgent
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {})
  if (!field || !coerced.variableValues) throw refused()
  const { input } = getArgumentValues(field, selection, coerced.variableValues)
  if ((input as { readonly token?: unknown } | undefined)?.token !== token) throw refused()
}
