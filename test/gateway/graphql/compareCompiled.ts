/** Compares compiled queries with graphql-js: the same documents over the same made-up data give the same bytes, or are left to it. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  buildSchema,
  execute,
  type GraphQLSchema,
  getOperationAST,
  isInterfaceType,
  isUnionType,
  parse,
  validate,
} from 'graphql'
import { Compiler } from '../../../gateway/graphql/compile.ts'
import type { GraphqlContext } from '../../../gateway/graphql/contextValue.ts'
import type { ValidOperation } from '../../../gateway/graphql/pipeline/prepared.ts'
import { printCatalog } from '../../../gateway/graphql/schema/print.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { RandomData } from './randomData.ts'
import { type RandomDocument, randomDocument } from './randomDocument.ts'

/** The schema as it is served, its root resolvers replaced by chance, some relations with resolvers of their own. */
export const schema: GraphQLSchema = buildSchema(printCatalog({ operations, objectTypes }))
let data = { seed: 0, faults: 0 }
for (const type of Object.values(schema.getTypeMap()))
  if (isInterfaceType(type) || isUnionType(type))
    type.resolveType = (value) => (value as { readonly __typename?: string }).__typename
for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
  field.resolve = (_root, args) => {
    const text = field.name + JSON.stringify(args)
    const place = [...text].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, data.seed)
    const value = new RandomData(schema, place, { inThousand: data.faults }).of(field.type)
    if (value instanceof Error) throw value
    return value
  }
}
for (const object of objectTypes) {
  const type = schema.getType(object.name)
  if (!type || !('getFields' in type)) continue
  const fields = type.getFields() as ReturnType<NonNullable<ReturnType<GraphQLSchema['getQueryType']>>['getFields']>
  for (const name of Object.keys(object.relations)) {
    const field = fields[name]
    if (field) field.resolve = async (parent) => await (parent as Record<string, unknown>)[name]
  }
}

export function prepared({ text }: RandomDocument): ValidOperation | undefined {
  const document = parse(text)
  if (validate(schema, document).length > 0) return undefined
  const operation = getOperationAST(document, 'Q')
  return operation ? { text, document, operation, rootFields: [] } : undefined
}

/** `undefined` where graphql-js is to answer. */
export async function compiled(
  compiler: Compiler,
  of: ValidOperation,
  variables: RandomDocument['variables'],
): Promise<string | undefined> {
  try {
    return await compiler.answer(of, variables, {} as GraphqlContext)
  } catch {
    return undefined
  }
}

interface Outcome {
  readonly valid: boolean
  readonly failed: boolean
  readonly compiled: boolean
}

async function compare(made: RandomDocument, seed: number, faults: number): Promise<Outcome> {
  const of = prepared(made)
  if (of === undefined) return { valid: false, failed: false, compiled: false }
  data = { seed, faults }
  const { document } = of
  const result = await execute({
    schema,
    document,
    variableValues: made.variables,
    operationName: 'Q',
    contextValue: {},
  })
  const compiler = new Compiler(schema)
  assert.equal(await compiled(compiler, of, made.variables), undefined, 'a document that comes once is not compiled')
  const text = await compiled(compiler, of, made.variables)
  const failed = 'errors' in result && result.errors !== undefined
  if (failed) assert.equal(text, undefined, 'what has errors is left to graphql-js')
  else if (text !== undefined) assert.equal(text, JSON.stringify(result))
  return { valid: true, failed, compiled: text !== undefined }
}

/** The choices from which a document is made. A shorter tape makes a smaller document. */
const choices = fc.array(fc.nat(1_000_000), { maxLength: 300, size: 'max' }).map((tape) => {
  let at = 0
  // After its end the last choice is made. So nothing happens by chance any more, and the root field is one without arguments.
  return randomDocument(schema, (count) => (tape[at++] ?? count - 1) % count)
})

/** Returns the outcomes of valid documents. @param faults how many of a thousand values are wrong */
export async function compareMany(faults: number, runs: number): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  await fc.assert(
    fc.asyncProperty(choices, fc.nat(), async (made, seed) => {
      try {
        outcomes.push(await compare(made, seed, faults))
      } catch (error) {
        throw new Error(`${made.text}\n${JSON.stringify(made.variables)}`, { cause: error })
      }
    }),
    { numRuns: runs },
  )
  return outcomes.filter(({ valid }) => valid)
}
