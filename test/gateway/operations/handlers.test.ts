import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { handle } from '../../../gateway/operations/handler.ts'
import { operations } from '../../../gateway/operations/operations.ts'
import type { PortName } from '../../../gateway/operations/requestContext.ts'
import { mutation, type OperationDeclaration, query } from '../../../spec/core/operation.ts'
import { id } from '../../../spec/core/types.ts'
import { requestFacts } from '../../kit/runtime/requestFacts.ts'

const root = resolve(import.meta.dirname, '../../..')

interface Declaration {
  readonly kind: OperationDeclaration['kind']
  readonly name: string
  readonly access: unknown
}

function isDeclaration(value: unknown): value is Declaration {
  const { kind, name, access } = (value ?? {}) as Partial<Declaration>
  return (
    ['query', 'mutation', 'append', 'heartbeat', 'subscription'].includes(String(kind)) &&
    name !== undefined &&
    access !== undefined
  )
}

test('each operation that the contract declares has one handler, and no other is served', async () => {
  const files = globSync('spec/**/*.ts', { cwd: root })
  const modules = await Promise.all(files.map((file) => import(resolve(root, file)) as Promise<object>))
  const exported = modules.flatMap((one) => Object.values(one).flatMap((value: unknown) => value)).filter(isDeclaration)
  assert.ok(exported.length > 100, 'the declarations were found')
  const declared = [...new Set(exported)].map(({ name }) => name).sort()
  assert.deepEqual(operations.map(({ name }) => name).sort(), declared)
})

const about = { name: 'newest', description: '', access: 'people', input: undefined, output: id } as const

test('a handler has the ports that it names, and no others', async () => {
  const operation = handle(mutation(about), ['ids'], {
    translate: (_input, { ids }) => ({ messages: [], answer: () => ids.newId('run') }),
  })
  const ids = { newId: () => 'run_1', nextNumber: async () => 1 }
  // No other port is given.
  const { answer } = await operation.translate({}, { ...requestFacts, ids })
  assert.equal(await answer([], new Map()), 'run_1')
  handle(mutation(about), ['views'], {
    // @ts-expect-error `ids` is not named
    translate: (_input, { ids: unnamed }) => ({ messages: [], answer: () => unnamed.newId('run') }),
  })
})

test('a query cannot name a port that writes', () => {
  // @ts-expect-error `ids` creates IDs of new actors
  handle(query(about), ['ids'], { read: () => 'run_1' })
})

test('the ports that store are named only by the operations that need them', () => {
  const namedBy = (port: PortName) => operations.filter(({ ports }) => ports.includes(port)).map(({ name }) => name)
  assert.deepEqual(namedBy('heartbeats'), ['agentConnect'])
  assert.deepEqual(namedBy('contentStore'), ['createSkill', 'updateSkill', 'reportBuildCoverage'])
  assert.deepEqual(namedBy('crashThreadStore'), ['recordCrashReport'])
  assert.deepEqual(namedBy('rawCrashReportStore'), [], 'only the route of reports that are sent stores files')
})
