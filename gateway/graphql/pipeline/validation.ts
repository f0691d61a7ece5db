import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  type Source,
  specifiedRules,
  validate,
} from 'graphql'
import type { Limits } from '../../limits/limits.ts'

/** Each error may quote a large part of the document. */
export const maxErrors = 10

export function createParser({ operationTokens }: Limits): (source: string | Source) => DocumentNode {
  return (source) => parse(source, { maxTokens: operationTokens })
}

/** @param isOpen whether introspection and suggestions are enabled */
export function createValidator(
  isOpen: boolean,
): (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[] {
  const rules = isOpen ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule]
  return (schema, document) => validate(schema, document, rules, { maxErrors, hideSuggestions: !isOpen })
}
