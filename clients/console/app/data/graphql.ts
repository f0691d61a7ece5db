/** Typed operations: the compiler derives the variables and the result of each from its text and the schema. */
import type { initGraphQLTada, ResultOf, TadaDocumentNode, VariablesOf } from 'gql.tada'
import type { SchemaTypes } from '../../../../spec/schemaTypes.ts'

export type { ResultOf, VariablesOf }

interface Setup {
  introspection: SchemaTypes
  scalars: { DateTime: string; JSON: unknown }
  disableMasking: true
}

/** An operation, with the types of its result and its variables. */
export type GraphqlDocument<Result, Variables> = TadaDocumentNode<Result, Variables, void>

/** The values of an enum of the schema. */
export type EnumValue<Name extends keyof SchemaTypes['types']> = SchemaTypes['types'][Name] extends {
  enumValues: infer Values
}
  ? Values
  : never

/** The same values, which a request does not change. */
export type ReadonlyDeep<Value> = Value extends object
  ? { readonly [Key in keyof Value]: ReadonlyDeep<Value[Key]> }
  : Value

/**
 * Declares an operation or a fragment. In the browser it is only its text, followed by its fragments: `gql.tada` is used for its types
 * alone, so no parser is in the script.
 */
export const graphql = joinTexts as unknown as ReturnType<typeof initGraphQLTada<Setup>>

/** Creates a query whose fields are known only when the page runs. It has no variables. */
export const createDocument = joinTexts as unknown as <Result>(
  text: string,
  fragments: readonly object[],
) => GraphqlDocument<Result, Record<never, never>>

function joinTexts(text: string, fragments: readonly string[] = []): string {
  return [text, ...fragments].join('\n')
}

/** Returns the text that the server receives. */
export function getText(document: GraphqlDocument<unknown, never>): string {
  return document as unknown as string
}
