/** The schema that people read is the one that the catalog gives, and the one that is served. */

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { buildSchema, getIntrospectionQuery, isScalarType, validateSchema } from 'graphql'
import * as v from 'valibot'
import { printCatalog } from '../../../gateway/graphql/schema/print.ts'
import { printTypes } from '../../../gateway/graphql/schema/printTypes.ts'
import type { Operation } from '../../../gateway/operations/handler.ts'
import { handle } from '../../../gateway/operations/handler.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { query } from '../../../spec/core/operation.ts'
import { named, type Schema } from '../../../spec/core/types.ts'
import { startTestGateway } from '../../kit/runtime/testGateway.ts'
import * as small from '../../kit/runtime/testOperations.ts'

test('spec/schema.graphql is the printed catalog; `node gateway/graphql/schema/printSchema.ts` writes it', async () => {
  const kept = await readFile(new URL('../../../spec/schema.graphql', import.meta.url), 'utf8')
  assert.equal(printCatalog({ operations, objectTypes }), kept)
})

test('spec/schemaTypes.ts has the types of the schema; the same command writes it', async () => {
  const kept = await readFile(new URL('../../../spec/schemaTypes.ts', import.meta.url), 'utf8')
  assert.equal(printTypes(buildSchema(printCatalog({ operations, objectTypes }))), kept)
})

test('spec/schemaTypes.ts has each type except scalars, so that each operation has types', async () => {
  const kept = await readFile(new URL('../../../spec/schemaTypes.ts', import.meta.url), 'utf8')
  const types = Object.values(buildSchema(printCatalog({ operations, objectTypes })).getTypeMap())
  const missing = types.filter(
    (type) => !isScalarType(type) && !type.name.startsWith('__') && !kept.includes(`    ${type.name}: `),
  )
  assert.deepEqual(missing.map(String), [])
})

test('a printed catalog is a valid schema', () => {
  for (const catalog of [{ operations, objectTypes }, small])
    assert.deepEqual(validateSchema(buildSchema(printCatalog(catalog))), [])
})

test('scalars, lists, defaults, relations, descriptions and deprecations are printed as declared', () => {
  const text = printCatalog(small)
  for (const line of [
    '  thingConnection(\n    first: Int = 20\n    after: String\n  ): ThingConnection!',
    '  ): Thing! @deprecated(reason: "Nothing needs to be finished.")',
    '  createThing(input: CreateThingInput!): CreateThingPayload!',
    '"""The color of a Thing."""\nenum Colour {\n  RED\n  GREEN\n}',
    '  """The name that users see."""\n  title: String!',
    '  createdAt: DateTime!\n  extra: JSON\n',
    '  """The Thing that it belongs to."""\n  parent: Thing\n',
    '    after: String\n  ): ThingConnection!\n  """The length of its title."""',
    '  letters: Int!',
    'type Thing implements Node {',
  ])
    assert.ok(text.includes(line), line)
})

test('the real catalog is served: an empty fleet and the full introspection', async () => {
  const world = await startTestGateway({ options: { operations, objectTypes } })
  try {
    const headers = { authorization: `Bearer ${(await world.signIn()).token}` }
    const { body } = await world.graphql(
      '{ agents { id name connectionStatus codebases { nodes { path } } } }',
      {},
      headers,
    )
    assert.deepEqual(body, { data: { agents: [] } })
    const whole = await world.graphql(getIntrospectionQuery(), {}, headers)
    assert.equal(whole.body.errors, undefined)
  } finally {
    await world.stop()
  }
})

test('two different types with one name are refused, since agents would select fields of the wrong type', () => {
  const job = (field: string) => named('Job', 'A piece of work.', v.object({ [field]: v.string() }))
  const asks = (name: string, output: Schema): Operation =>
    handle(query({ name, description: 'Asks.', access: 'people', input: undefined, output }), [], {
      read: () => ({}),
    }) as Operation
  const print = (...operations: Operation[]) => printCatalog({ operations, objectTypes: [] })
  assert.throws(() => print(asks('one', job('id')), asks('other', job('state'))), /two different types are named Job/)
  assert.doesNotThrow(() => print(asks('one', job('id')), asks('other', job('id'))))
})
