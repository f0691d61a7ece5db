/** Compiled queries against graphql-js, on as many documents as the suite has time for. `compiled.long.test.ts` has thousands. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { execute } from 'graphql'
import { Compiler } from '../../../gateway/graphql/compile.ts'
import { compareMany, compiled, prepared, schema } from './compareCompiled.ts'

test('with and without faults, a compiled query returns the same as graphql-js', async () => {
  for (const faults of [0, 15]) {
    const outcomes = await compareMany(faults, 200)
    assert.ok(outcomes.filter((one) => one.compiled).length > 10, 'too few queries were compiled')
  }
})

/** The values of root fields for which a wrong implementation would easily answer without errors. */
const traps: readonly (readonly [what: string, query: string, field: string, value: unknown])[] = [
  ['an error for an object', '{ agents { __typename } }', 'agents', [new Error('made up')]],
  [
    'an error for an object of an interface',
    '{ node(id: "x") { __typename } }',
    'node',
    Object.assign(new Error('made up'), { __typename: 'Agent' }),
  ],
  ['an error for a scalar', '{ agents { hostname } }', 'agents', [{ hostname: new Error('made up') }]],
  ['an error for the whole', '{ agent(id: "x") { __typename } }', 'agent', new Error('made up')],
  ['a type that the interface does not have', '{ run(id: "x") { __typename } }', 'run', { __typename: 'Agent' }],
  ['no type', '{ run(id: "x") { __typename } }', 'run', {}],
  ['a number that is no Int', '{ agents { epoch } }', 'agents', [{ epoch: 2 ** 31 }]],
  ['a name that is no enum value', '{ agents { connectionStatus } }', 'agents', [{ connectionStatus: 'GONE' }]],
]

test('a compiled query returns no value if graphql-js returns an error', async () => {
  for (const [what, text, name, value] of traps) {
    const field = schema.getQueryType()?.getFields()[name]
    assert.ok(field)
    const { resolve } = field
    field.resolve = () => value
    const of = prepared({ text: text.replace('{', 'query Q {'), variables: {} })
    assert.ok(of, what)
    const { document } = of
    const result = await execute({ schema, document, contextValue: {} })
    assert.ok('errors' in result && result.errors, what)
    const compiler = new Compiler(schema)
    await compiled(compiler, of, {})
    assert.equal(await compiled(compiler, of, {}), undefined, what)
    field.resolve = resolve
  }
})
