/** A server of this version on the data of one that stored symbols without symbol tables. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { symbolBlob } from '../../../gateway/operations/apps/indexing/symbolBlobs.ts'
import {
  crashOf,
  makeApp,
  newUuid,
  recordCrash,
  recordDsym,
  reportOf,
  symbolsOf,
} from '../../kit/program/objects/crashes.ts'
import { smallImage, smallMachO } from '../../kit/program/objects/dsymZips.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

const bundleIdentifier = 'org.example.shop'
let stage: TestProgram

before(async () => {
  stage = await startTestProgram()
  await makeApp(stage.ask, bundleIdentifier)
})
after(() => stage?.end())

/** Stores symbols as an earlier version did. The server does not look for them before it is started again. */
async function storeOldSymbols(bytes?: Uint8Array): Promise<string> {
  const uuid = newUuid()
  const file = bytes ?? smallMachO(uuid)
  const path = join(stage.dataDir, 'blobs', `${symbolBlob({ uuid, arch: 'arm64', size: file.length })}.blob`)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, file)
  const twoHoursAgo = Date.now() / 1_000 - 7_200
  utimesSync(path, twoHoursAgo, twoHoursAgo)
  await recordDsym(stage.ask, bundleIdentifier, [uuid])
  return uuid
}

const filesIn = (folder: string): readonly string[] => {
  const path = join(stage.dataDir, 'blobs', folder)
  return existsSync(path) ? readdirSync(path) : []
}

async function recordCall(uuid: string): Promise<string> {
  const address = `0x${(smallImage.mainAddress + 16n).toString(16)}`
  const threads = [{ crashed: true, frames: [{ imageUuid: uuid, address }] }]
  const { id } = await recordCrash(stage.ask, { ...reportOf(bundleIdentifier, [uuid]), threads })
  return id
}

test('reports get their names from symbols without a table, also if the server is killed while it writes the tables', async () => {
  const uuids: string[] = []
  for (let slice = 0; slice < 4; slice++) uuids.push(await storeOldSymbols())
  const damaged = await storeOldSymbols(Buffer.from('this is no Mach-O file'))
  const waiting = await recordCall(damaged)
  const ids: string[] = []
  for (const uuid of uuids) ids.push(await recordCall(uuid))
  await until('all images to have a dSYM', async () => {
    const crashes = await Promise.all([...ids, waiting].map((id) => crashOf(stage.ask, id)))
    return crashes.every(({ missingImageCount }) => missingImageCount === 0) || undefined
  })
  for (const id of ids) assert.deepEqual(await symbolsOf(stage.ask, id), [null])

  await stage.restart()
  await until('the second table', () => filesIn('symbol-tables').length >= 2 || undefined)
  // The pause after it has begun.
  await sleep(300)
  await stage.restart()
  await until('all names', async () => {
    const all = await Promise.all(ids.map((id) => symbolsOf(stage.ask, id)))
    return all.every(([name]) => name === 'main') || undefined
  })
  await until('the damaged symbols to be tried', () => filesIn('symbol-attempts').length === 1 || undefined)
  assert.match(filesIn('symbol-attempts')[0] ?? '', /-failed\.blob$/)
  assert.equal(filesIn('symbol-tables').length, 4)
  assert.deepEqual(await symbolsOf(stage.ask, waiting), [null])
})
