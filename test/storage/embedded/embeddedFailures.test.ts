import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { StartError } from '../../../storage/database/startError.ts'
import { installedBinaries } from '../../../storage/embedded/binaries.ts'
import { startEmbedded } from '../../../storage/embedded/embedded.ts'
import { EmbeddedHosts } from './embeddedHosts.ts'

const world = new EmbeddedHosts()
const made = world.newDataDir()
const isRoot = process.geteuid?.() === 0

/** Damages of a data folder with a database, and the message that the program prints for each. */
const damages: readonly { what: string; harm: (dataDir: string) => void; says: RegExp; skip?: boolean }[] = [
  {
    what: 'was made by a newer PostgreSQL',
    harm: (dataDir) => writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '19\n'),
    says: /was made by the newer PostgreSQL 19 and this is 18: start the newer Signalbox/,
  },
  {
    what: 'was made by an older PostgreSQL',
    harm: (dataDir) => writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '15\n'),
    says: /was made by the older PostgreSQL 15 and this is 18: move its data over/,
  },
  {
    what: 'lost its version',
    harm: (dataDir) => rmSync(join(dataDir, 'postgres', 'PG_VERSION')),
    says: /looks damaged: it holds files and no PG_VERSION; restore it/,
  },
  {
    what: 'lost half its control file',
    harm: (dataDir) => truncateSync(join(dataDir, 'postgres', 'global', 'pg_control'), 100),
    says: /could not start on .*pg_control.*restore the folder from a backup/,
  },
  {
    what: 'lost a file of its catalog',
    harm: (dataDir) => rmSync(join(dataDir, 'postgres', 'global', '1262')),
    says: /restore it from a backup/,
  },
  {
    what: 'belongs to another user',
    harm: (dataDir) => chownSync(join(dataDir, 'postgres'), 1234, 1234),
    says: /belongs to user 1234 and this is user 0: start as that user, or/,
    skip: !isRoot,
  },
  {
    what: 'can’t be written',
    harm: (dataDir) => {
      rmSync(join(dataDir, 'lock'))
      chmodSync(dataDir, 0o500)
    },
    says: /can't be written by user \d+: change that, or set DATA_DIR/,
    skip: isRoot,
  },
]

describe('the embedded PostgreSQL does not start, and reports the reason in one sentence', () => {
  before(async () => {
    await (await startEmbedded({ dataDir: made, log: () => {} })).stop()
  })
  after(async () => {
    assert.deepEqual(await world.end(), [], 'PostgreSQL processes were left behind')
  })

  for (const { what, harm, says, skip = false } of damages) {
    test(`when the data folder ${what}`, { skip }, async () => {
      const dataDir = world.newDataDir()
      cpSync(made, dataDir, { recursive: true, preserveTimestamps: true })
      harm(dataDir)
      try {
        await assert.rejects(startEmbedded({ dataDir, log: () => {} }), sentence(says))
      } finally {
        chmodSync(dataDir, 0o700)
      }
    })
  }

  test('when DATA_DIR is a file', async () => {
    const dataDir = world.newDataDir()
    writeFileSync(dataDir, '')
    await assert.rejects(startEmbedded({ dataDir, log: () => {} }), sentence(/is not a folder: set DATA_DIR to one/))
  })

  test('when PostgreSQL refuses a parameter', async () => {
    const started = startEmbedded({ dataDir: made, log: () => {}, parameters: { shared_buffers: 'lots' } })
    await assert.rejects(started, sentence(/refuses one of its parameters \(.*shared_buffers.*\)/))
  })

  test('when npm brought no PostgreSQL for this platform', async () => {
    await assert.rejects(installedBinaries('plan9-mips'), sentence(/for plan9-mips is missing .*npm install/))
  })

  const inside = ['unshare', '--mount', ...(isRoot ? [] : ['--user', '--map-root-user'])]
  const canMount = spawnSync(inside[0] ?? '', [...inside.slice(1), 'true']).status === 0
  test('when the disk is full', { skip: !canMount && 'needs unshare --mount' }, async () => {
    const disk = world.newDataDir()
    mkdirSync(disk)
    const script = `mount -t tmpfs -o size=20m none "${disk}" && exec "$@"`
    const host = world.host(join(disk, 'data'), { under: [...inside, 'sh', '-c', script, 'sh'] })
    const { failed } = await host.first()
    assert.equal(failed?.name, 'StartError')
    assert.match(failed?.message ?? '', /^There is no space left on the disk that holds .*: free some/)
  })
})

function sentence(says: RegExp): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof StartError, String(error))
    assert.match(error.message, says)
    assert.ok(!error.message.includes('\n') && error.message.endsWith('.'), error.message)
    return true
  }
}
