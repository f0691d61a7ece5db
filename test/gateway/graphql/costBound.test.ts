/** The cost of a request is never less than the number of objects in its answer: random queries on a gateway with some of everything. */
import { ok } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { buildCatalogSchema } from '../../../gateway/graphql/schema/schema.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import type { Json } from '../../../spec/core/actor.ts'
import { type ActorKind, siblingId } from '../../../spec/core/ids.ts'
import { inits, openings } from '../../kit/runtime/samples/samples.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'
import { Random } from '../../longRuns/soak/random.ts'

const catalog = { operations, objectTypes }
const schema = buildCatalogSchema(catalog, undefined as never)
const queries = 400

/** Kinds whose IDs an argument can name, by the argument. */
const ids = new Map<string, string[]>()
let gateway: TestGateway
let session: Record<string, string>

before(async () => {
  gateway = await startTestGateway({
    options: catalog,
    settings: { limits: { graphqlPointsPer5Minutes: 10_000_000 } as never },
  })
  session = { authorization: `Bearer ${(await gateway.signIn()).token}` }
  for (let n = 0; n < 3; n++) await fill(n)
})
after(() => gateway.stop())

/** One machine with a codebase, a worktree, and some runs of each kind, and one of the other objects. */
async function fill(n: number): Promise<void> {
  const agentId = await create('agent', { name: `mac-${n}`, credentialHash: `hash ${n}` })
  const codebaseId = await create('codebase', { agentId, path: `/src/${n}` })
  const on = { agentId, codebaseId }
  for (let tree = 0; tree <= n; tree++) {
    const worktreeId = await create('worktree', { ...on, path: `/src/${n}/${tree}`, adopted: true })
    const queueId = siblingId('worktreeQueue', worktreeId)
    await create('worktreeQueue', { ...on, worktreeId }, queueId)
    const session = await create('session', { ...on, worktreeId, planId: null })
    for (let number = 0; number < 4; number++) {
      const run = await create('run', { ...on, worktreeId, ownerId: session, number: number + 10 * tree })
      await create('job', { agentId, worktreeId, queueId, owner: { kind: 'run', id: run } }, siblingId('job', run))
    }
  }
  const appId = await create('app', { bundleIdentifier: `org.example.app${n}` })
  for (let report = 0; report < 4; report++) await create('crashReport', { appId, reportId: `report ${n} ${report}` })
  const integrationId = await create('integration', { name: `hook ${n}` })
  for (let delivery = 0; delivery < 3; delivery++)
    await create('webhookDelivery', { integrationId, deliveryId: `${n} ${delivery}` })
  await create('workflow', {})
  await create('telemetryQuery', { name: `query ${n}` })
  await create('mcpServer', { name: `server ${n}`, catalogPrefix: null })
}

async function create(
  kind: ActorKind,
  init: Readonly<Record<string, Json>>,
  id = gateway.newId(kind),
): Promise<string> {
  const create = { ...inits[kind], ...init } as Readonly<Record<string, Json>>
  await gateway.ask({ kind, id }, { type: 'create' }, create)
  for (const event of openings[kind] ?? []) await gateway.ask({ kind, id }, event)
  ids.set(kind, [...(ids.get(kind) ?? []), id])
  return id
}

const deepest = 7

/** A random selection of the type's fields. Undefined if it is too deep for an object. */
function selection(type: GraphQLOutputType, random: Random, depth: number): string | undefined {
  const named = getNamedType(type)
  if (!isCompositeType(named)) return ''
  if (depth > deepest) return undefined
  if (isUnionType(named)) return '{ __typename }'
  const all = Object.values(named.getFields())
  const chosen = all.filter((field) => random.chance(isCompositeType(getNamedType(field.type)) ? 0.4 : 0.15))
  const texts = chosen.flatMap((field, index) => fieldText(field, `f${index}`, random, depth + 1) ?? [])
  return `{ __typename ${texts.join(' ')} }`
}

function fieldText(
  field: GraphQLField<unknown, unknown>,
  alias: string,
  random: Random,
  depth: number,
): string | undefined {
  const args: string[] = []
  for (const { name, type, defaultValue } of field.args) {
    const value = argument(name, field.name, random)
    if (value !== undefined && (isNonNullType(type) || random.chance(0.5))) args.push(`${name}: ${value}`)
    else if (isNonNullType(type) && defaultValue === undefined && value === undefined) {
      const named = getNamedType(type)
      if (!isEnumType(named)) return undefined
      args.push(`${name}: ${random.pick(named.getValues()).name}`)
    }
  }
  const below = selection(field.type, random, depth)
  return below === undefined
    ? undefined
    : `${alias}: ${field.name}${args.length ? `(${args.join(', ')})` : ''} ${below}`
}

const kindsOf: Readonly<Record<string, ActorKind>> = { crash: 'crashReport', plan: 'plan' }

function argument(name: string, field: string, random: Random): string | undefined {
  if (name === 'first') return String(random.pick([1, 2, 3, 50]))
  const kind = (name === 'id' ? field : name.replace(/Ids?$/, '')) as ActorKind
  const known = name === 'ids' && field === 'nodes' ? [...ids.values()].flat() : ids.get(kindsOf[kind] ?? kind)
  if (known === undefined) return name === 'id' ? JSON.stringify(random.pick([...ids.values()].flat())) : undefined
  if (!name.endsWith('s')) return JSON.stringify(random.pick(known))
  return JSON.stringify([random.pick(known), random.pick(known)])
}

function objectsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + objectsIn(one), 0)
  if (value === null || typeof value !== 'object' || !('__typename' in value)) return 0
  return 1 + Object.values(value).reduce<number>((sum, one) => sum + objectsIn(one), 0)
}

test(`none of ${queries} random queries returns more objects than it was charged for`, async () => {
  const root = schema.getQueryType()
  ok(root && isObjectType(root) && !isInterfaceType(root))
  const random = new Random(17)
  let answered = 0
  let most = 0
  for (let n = 0; n < queries; n++) {
    const fields = Array.from({ length: 3 }, () => random.pick(Object.values(root.getFields())))
    const texts = fields.flatMap((field, index) =>
      field.name === 'rateLimit' ? [] : (fieldText(field, `r${index}`, random, 0) ?? []),
    )
    const text = `{ rateLimit { cost } ${texts.join(' ')} }`
    const { body } = await gateway.graphql(text, {}, session)
    const data = body.data as unknown as Readonly<Record<string, unknown>> | null | undefined
    if (!data?.rateLimit) continue
    const { cost } = data.rateLimit as { readonly cost: number }
    const objects = Object.values(data).reduce<number>((sum, one) => sum + objectsIn(one), 0)
    ok(cost >= objects, `${objects} objects were charged with ${cost}: ${text}`)
    answered++
    most = Math.max(most, objects)
  }
  // A query that is refused, or finds nothing, shows nothing.
  ok(answered > queries / 3 && most > 100, `${answered} were answered, with at most ${most} objects`)
})
