/** The catalog as a whole: who may ask what, within which bounds, under which names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { objectTypes, operations } from '../../gateway/operations/operations.ts'
import { idPrefixes } from '../../spec/core/ids.ts'
import { openTo } from '../../spec/core/principal.ts'
import type { Schema, TypeMetadata } from '../../spec/core/types.ts'
import { promisedOperations } from './promisedOperations.ts'

const namesFor = (kind: 'user' | 'agent' | 'enrollment' | 'run' | 'anonymous' | 'actor'): string[] =>
  operations
    .filter((operation) => openTo(operation.access).includes(kind))
    .map((operation) => operation.name)
    .sort()

test('every operation declares its access, and each kind of principal has exactly the promised operations', () => {
  assert.deepEqual(namesFor('user'), [...promisedOperations.people].sort())
  assert.deepEqual(namesFor('agent'), [...promisedOperations.agent].sort())
  assert.deepEqual(namesFor('enrollment'), promisedOperations.enrollment)
  assert.deepEqual([namesFor('run'), namesFor('anonymous'), namesFor('actor')], [[], [], []])
  for (const operation of operations) {
    assert.ok(['people', 'agents', 'enrolling'].includes(operation.access), operation.name)
    assert.ok(operation.description.length > 10, operation.name)
  }
})

test('the names of operations and object types are unique', () => {
  assert.equal(new Set(operations.map(({ name }) => name)).size, operations.length)
  assert.equal(new Set(objectTypes.map(({ name }) => name)).size, objectTypes.length)
})

interface Parts {
  readonly type: string
  readonly wrapped?: Schema
  readonly entries?: Readonly<Record<string, Schema>>
  readonly item?: Schema
  readonly pipe?: readonly { readonly kind: string; readonly type: string }[]
}
const partsOf = (schema: Schema): Parts => schema as unknown as Parts

/** Everything in a schema, with the way to it. */
function* within(schema: Schema, path: string): Generator<{ readonly schema: Schema; readonly path: string }> {
  yield { schema, path }
  const { wrapped, entries, item } = partsOf(schema)
  if (wrapped) yield* within(wrapped, path)
  if (item) yield* within(item, `${path}[]`)
  for (const [key, entry] of Object.entries(entries ?? {})) yield* within(entry, `${path}.${key}`)
}

/** The checks of a schema, those of a schema within its pipe included. */
function checksOf(schema: Schema): string[] {
  return (partsOf(schema).pipe ?? []).flatMap((part) =>
    part.kind === 'schema' && part !== (schema as unknown) ? [part.type, ...innerChecks(part)] : [part.type],
  )
}
const innerChecks = (part: unknown): string[] =>
  ((part as Parts).pipe ?? []).flatMap((inner) => (inner === part ? [] : [inner.type]))

const bounds = new Set(['max_length', 'regex', 'iso_timestamp', 'check'])

test('every text and list of an input has a bound', () => {
  for (const { name, input } of operations) {
    if (input === undefined) continue
    for (const { schema, path } of within(input, name)) {
      const { type } = partsOf(schema)
      const checks = checksOf(schema)
      const { scalar } = v.getMetadata(schema) as TypeMetadata
      if (type === 'array') assert.ok(checks.includes('max_length'), `${path} has no greatest length`)
      if (type === 'string' && scalar === undefined) {
        assert.ok(
          checks.some((check) => bounds.has(check)),
          `${path} has no bound`,
        )
      }
    }
  }
})

test('no prefix of an ID is the beginning of another prefix or of the prefix of a credential', () => {
  const prefixes = [...Object.values(idPrefixes).map((prefix) => `${prefix}_`), 'svc_', 'agent_', 'enroll_', 'session_']
  for (const a of prefixes) for (const b of prefixes) assert.ok(a === b || !a.startsWith(b), `${a} begins with ${b}`)
})

/** The types that an agent and an enrolling machine may read. They lead to no data of users. */
const closed = new Set([
  'EnrollAgentPayload',
  'AgentConnectPayload',
  'AgentJobDirective',
  'AgentJobAction',
  'AgentHeartbeatPayload',
  'AgentJobStop',
  'AcceptJobPayload',
  'AgentJob',
  // Of a run that this agent executes, and whose former runs it executed.
  // Of that run: files that the person who requested it has uploaded.
  'AgentAttachment',
  'AgentSkill',
  // Of skills that this agent has stored.
  'ReportAgentSkillsPayload',
  'AgentSkillVersion',
  'FormerTurns',
  'FormerTurn',
  // Of a build that this agent executes.
  'CreateBuildArtifactPayload',
  'AgentFile',
  // Of a build that this agent executes and whose configuration names it.
  'AgentSigningAsset',
  'SigningAssetKind',
  'UploadStatus',
  'JobKind',
  'JobReceipt',
  'AppendPayload',
  'ReportCodebasesPayload',
  'RefusedReport',
  'RotateAgentCredentialPayload',
  'AgentJobOffer',
  'JobSignal',
  'RunAnswer',
])

test('agents receive only the types of a closed list, which have no relations', () => {
  const withRelations = new Set(objectTypes.map(({ name }) => name))
  for (const operation of operations) {
    if (operation.access === 'people') continue
    for (const { schema } of within(operation.output, operation.name)) {
      const { typeName } = v.getMetadata(schema) as TypeMetadata
      if (typeName === undefined) continue
      assert.ok(closed.has(typeName), `${operation.name} shows ${typeName}`)
      assert.equal(withRelations.has(typeName), false, `${typeName} leads elsewhere`)
    }
  }
})

test('the target of every relation is an existing object type', () => {
  const names = new Set(
    objectTypes.flatMap((type) => ('kind' in type && type.implements ? [type.name, type.implements] : [type.name])),
  )
  for (const type of objectTypes) {
    for (const [field, relation] of Object.entries(type.relations)) {
      const targets =
        relation.type === 'union' ? relation.members : relation.type === 'derived' ? [] : [relation.target]
      for (const target of targets) assert.ok(names.has(target), `${type.name}.${field} → ${target}`)
    }
  }
})
