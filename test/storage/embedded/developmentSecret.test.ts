import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { developmentSecret } from '../../../storage/blobs/developmentSecret.ts'
import { StartError } from '../../../storage/database/startError.ts'

describe('the development secret', () => {
  let folder = ''
  let dataDir = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sb-'))
    dataDir = join(folder, 'made', 'by', 'itself')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('has 32 bytes, is created once, and is readable only for its owner', async () => {
    const first = await developmentSecret(dataDir)
    assert.equal(first.length, 32)
    assert.deepEqual(await developmentSecret(dataDir), first)
    assert.deepEqual(readdirSync(dataDir), ['development-secret'])
    assert.equal(statSync(join(dataDir, 'development-secret')).mode & 0o777, 0o600)
    assert.equal(statSync(dataDir).mode & 0o777, 0o700)
  })

  test('differs from folder to folder', async () => {
    assert.notDeepEqual(await developmentSecret(dataDir), await developmentSecret(join(folder, 'other')))
  })

  test('is the same for all processes that start at once', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => developmentSecret(dataDir)))
    assert.equal(new Set(secrets.map((bytes) => Buffer.from(bytes).toString('hex'))).size, 1)
    assert.deepEqual(readdirSync(dataDir), ['development-secret'])
  })

  test('is made private again if others could read it', async () => {
    const secret = await developmentSecret(dataDir)
    chmodSync(join(dataDir, 'development-secret'), 0o644)
    assert.deepEqual(await developmentSecret(dataDir), secret)
    assert.equal(statSync(join(dataDir, 'development-secret')).mode & 0o777, 0o600)
  })

  test('is not replaced if it is damaged, and the error does not show it', async () => {
    await developmentSecret(dataDir)
    const path = join(dataDir, 'development-secret')
    const damaged = readFileSync(path, 'utf8').slice(0, 40)
    writeFileSync(path, damaged)
    await assert.rejects(developmentSecret(dataDir), (error) => {
      assert.ok(error instanceof StartError)
      assert.match(error.message, /is damaged: put it back from a backup, or remove the file/)
      return !error.message.includes(damaged)
    })
    assert.equal(readFileSync(path, 'utf8'), damaged)
  })

  test('fails with a clear message if DATA_DIR is not a folder', async () => {
    writeFileSync(join(folder, 'file'), '')
    await assert.rejects(developmentSecret(join(folder, 'file')), /is not a folder: set DATA_DIR to one\.$/)
  })
})
