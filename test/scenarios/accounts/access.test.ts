/** Access: each kind of principal calls each operation of the catalog. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { after, before, test } from 'node:test'
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { type OutsidePrincipalKind, type Verdict, verdict } from '../../../spec/core/principal.ts'
import { type BareAgent, startBareAgent } from '../../kit/program/bareAgent.ts'
import { type Everybody, everybody } from '../../kit/program/everybody.ts'
import type { Credential } from '../../kit/program/graphql.ts'
import { codeOf, connect, subscribe } from '../../kit/program/socket.ts'
import { asWhom, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { promisedOperations } from '../../spec/promisedOperations.ts'

let stage: TestProgram
let agent: BareAgent
let schema: GraphQLSchema
let credentials: Everybody

before(async () => {
  stage = await startTestProgram({ env: { LIMIT_FAILED_LOOKUPS_PER_MINUTE: '1000' } })
  schema = buildSchema(await readFile(resolve(import.meta.dirname, '../../../spec/schema.graphql'), 'utf8'))
  agent = await startBareAgent(stage, 'bare')
  credentials = await everybody(stage, agent)
})
after(() => stage?.end())

const agentOnly: ReadonlySet<string> = new Set(promisedOperations.agent)
const guestOnly: ReadonlySet<string> = new Set(promisedOperations.enrollment)

/** Input that fits the types and names nothing that there is: what is allowed is refused later, for another reason. */
function sample(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return sample(type.ofType)
  if (isListType(type)) return []
  if (isEnumType(type)) return type.getValues()[0]?.name
  if (isInputObjectType(type)) {
    const all = Object.values(type.getFields())
    const required = type.isOneOf ? all.slice(0, 1) : all.filter((field) => isNonNullType(field.type))
    return Object.fromEntries(required.map((field) => [field.name, sample(field.type)]))
  }
  return { Int: 0, Float: 0, Boolean: false, JSON: {}, ID: 'nothing', String: 'x' }[getNamedType(type).name] ?? 'x'
}

function documentFor(kind: string, field: GraphQLField<unknown, unknown>) {
  const args = field.args.filter(({ type }) => isNonNullType(type))
  const head = args.map(({ name, type }) => `$${name}: ${type}`).join(', ')
  const given = args.map(({ name }) => `${name}: $${name}`).join(', ')
  const selection = isCompositeType(getNamedType(field.type)) ? '{ __typename }' : ''
  const query = `${kind}${head ? ` (${head})` : ''} { ${field.name}${given ? `(${given})` : ''} ${selection} }`
  return { query, variables: Object.fromEntries(args.map(({ name, type }) => [name, sample(type)])) }
}

const fieldsOf = (type: GraphQLObjectType | null | undefined) =>
  isObjectType(type) ? Object.values(type.getFields()) : []

function expected(operation: string, who: OutsidePrincipalKind): Verdict {
  const row = guestOnly.has(operation) ? 'enrolling' : agentOnly.has(operation) ? 'agents' : 'people'
  // A one-time token is valid only in the input of `enrollAgent`, not as a credential.
  if (who === 'enrollment') return 'UNAUTHENTICATED'
  // The endpoints of GraphQL are not for a run's own token at all.
  return verdict('graphql', who) === 'allowed' ? verdict(row, who) : verdict('graphql', who)
}

const kinds: readonly OutsidePrincipalKind[] = ['user', 'apiKey', 'agent', 'run', 'enrollment', 'anonymous']

const dangerous = new Set(['rotateAgentCredential', 'agentConnect'])

test('queries and mutations: allowed, or refused as documented', async () => {
  const wrong: string[] = []
  for (const [kind, type] of [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const) {
    for (const field of fieldsOf(type)) {
      const { query, variables } = documentFor(kind, field)
      for (const who of kinds) {
        const credential = credentials[who]
        const wanted = expected(field.name, who)
        if (wanted === 'allowed' && dangerous.has(field.name)) continue
        const { code, message } = await refusal(asWhom(stage.url, credential)(query, variables))
        const seen = code === 'FORBIDDEN' || code === 'UNAUTHENTICATED' ? code : 'allowed'
        if (seen !== wanted || code === 'INTERNAL')
          wrong.push(`${who} ${kind} ${field.name}: ${wanted} wanted, ${code} seen (${message})`)
      }
    }
  }
  assert.deepEqual(wrong, [])
})

test('subscriptions: allowed, or refused as documented', async () => {
  const wrong: string[] = []
  for (const field of fieldsOf(schema.getSubscriptionType())) {
    const { query, variables } = documentFor('subscription', field)
    for (const who of kinds) {
      const credential = credentials[who]
      const client = connect(stage.url, (credential ?? {}) as Record<string, string>, { lazyCloseTimeout: 0 })
      const subscription = subscribe<unknown>(client, query, variables)
      const seen = await Promise.race([
        subscription.over(5_000).then(codeOf),
        new Promise<string>((resolve) => setTimeout(resolve, 300, 'allowed')),
      ])
      const wanted = expected(field.name, who)
      const refused = {
        FORBIDDEN: verdict('graphql', who) === 'FORBIDDEN' ? '4403' : 'FORBIDDEN',
        UNAUTHENTICATED: '4401',
      }
      const fits =
        wanted === 'allowed' ? !['FORBIDDEN', '4401', '4403', 'INTERNAL'].includes(seen) : seen === refused[wanted]
      if (!fits) wrong.push(`${who} subscription ${field.name}: ${wanted} wanted, ${seen} seen`)
      await subscription.stop()
      await client.dispose()
    }
  }
  assert.deepEqual(wrong, [])
})

test('a request with two credentials or with an invalid credential is refused', async () => {
  const health = '{ health }'
  const refusedFor = async (headers: Record<string, string>) =>
    (await refusal(asWhom(stage.url, headers as Credential)(health))).code
  const user = (credentials.user as { authorization: string }).authorization
  for (const headers of [
    { authorization: user, 'X-API-Key': stage.key },
    { authorization: 'Basic YTpi' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer svc_nothing' },
    { 'X-API-Key': 'nothing' },
    { 'X-API-Key': `${stage.key}x` },
    { 'X-API-Key': agent.credential },
    { cookie: 'signalbox=nothing' },
  ])
    assert.equal(await refusedFor(headers as Record<string, string>), 'UNAUTHENTICATED', Object.entries(headers).join())
})
