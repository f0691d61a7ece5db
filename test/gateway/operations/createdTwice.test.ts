/** A creating request that is repeated after its answer was lost, when what it names has changed in the meantime. */
import { deepEqual, equal } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

/** Operations whose repeat is not refused although they read objects, each with the reason. */
const neverRefused: Readonly<Record<string, string>> = {
  performBulkRunAction: 'a repeat finds the first action by its key',
  recordDsym: 'a repeat finds the dSYM with the same images',
}

let world: TestGateway
let ada: Record<string, string>

before(async () => {
  world = await startTestGateway({ options: { operations, objectTypes } })
  ada = { authorization: `Bearer ${(await world.signIn()).token}` }
})
after(() => world.stop())

const entriesOf = (schema: unknown): object => (schema as { entries?: object } | undefined)?.entries ?? {}

test('each operation that creates an object and reads others answers a repeat without another check', () => {
  const missing = operations.filter(
    (one) =>
      one.kind === 'mutation' &&
      'idempotencyKey' in entriesOf(one.input) &&
      one.ports.includes('ids') &&
      one.ports.includes('views') &&
      one.repeat === undefined &&
      one.ownIdempotency !== true &&
      !(one.name in neverRefused),
  )
  deepEqual(
    missing.map(({ name }) => name),
    [],
  )
})

async function create(operation: string, type: string, input: object, selection: string): Promise<unknown> {
  const query = `mutation ($input: ${type}!) { ${operation}(input: $input) { ${selection} { id } } }`
  const { body } = await world.graphql(query, { input: { ...input, idempotencyKey: 'k' } }, ada)
  deepEqual(body.errors, undefined)
  return (body.data as unknown as Record<string, Record<string, { id: string }>>)[operation]?.[selection]?.id
}

test('a workflow is created once, also if its build configuration is archived before the repeat', async () => {
  const configuration = { kind: 'buildConfiguration', id: world.newId('buildConfiguration') } as const
  await world.ask(configuration, { type: 'create' }, inits.buildConfiguration)
  const steps = [{ name: 'build', action: { build: { buildConfigurationId: configuration.id } } }]
  const send = () => create('createWorkflow', 'CreateWorkflowInput', { name: 'Release', steps }, 'workflow')
  const first = await send()
  await world.ask(configuration, { type: 'archive' })
  equal(await send(), first)
})

test('a preset is created once', async () => {
  const input = { name: 'Mine', kind: 'SESSION', tools: [{ source: 'BUILTIN', name: 'get_run' }] }
  const send = () => create('createMcpToolPreset', 'McpToolPresetInput', input, 'preset')
  equal(await send(), await send())
})
