/** The failures that callers of a port receive while the database is unavailable. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommitUncertain } from '../../../actors/ports/journal.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { isUnavailable, reportingUnavailable } from '../../../storage/database/unavailable.ts'

const server = (code: string): Error => Object.assign(new Error(code), { name: 'PostgresError', code })
const system = (code: string): Error => Object.assign(new Error(code), { code })

const away = [
  server('57P01'),
  server('57P03'),
  server('53300'),
  server('08006'),
  system('ECONNREFUSED'),
  system('ENOENT'),
  system('CONNECTION_CLOSED'),
  system('CONNECT_TIMEOUT'),
]
const own = [
  server('23505'),
  server('42P01'),
  new TypeError('x'),
  new Failure('NOT_FOUND', 'x'),
  new CommitUncertain('x'),
]

test('a broken connection and a server that ends are distinguished from other errors', () => {
  assert.deepEqual(
    away.map(isUnavailable),
    away.map(() => true),
  )
  assert.deepEqual(
    own.map(isUnavailable),
    own.map(() => false),
  )
})

class Port {
  readonly #name = 'port'
  fail(error: Error): Promise<never> {
    return Promise.reject(error)
  }
  name(): string {
    return this.#name
  }
}

test('a port turns errors of the connection into UNAVAILABLE, and passes other errors on unchanged', async () => {
  const port = reportingUnavailable(new Port())
  assert.equal(port.name(), 'port')
  for (const error of away)
    await assert.rejects(port.fail(error), { name: 'Failure', code: 'UNAVAILABLE', cause: error })
  for (const error of own) await assert.rejects(port.fail(error), (thrown) => thrown === error)
})
