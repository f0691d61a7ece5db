/**
 * Signing assets from their upload to a build that reads them on a machine with the real agent; and that their bytes and passwords are
 * nowhere but in the build, and are gone after it.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from '../../../../storage/sql/sql.ts'
import { type Machine, startMachine } from '../../../kit/program/machine.ts'
import {
  createConfiguration,
  lookAtBuild,
  readBuildLog,
  startBuild,
  untilBuild,
  withRemote,
} from '../../../kit/program/objects/builds.ts'
import { mutate } from '../../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../../kit/program/testProgram.ts'
import { until } from '../../../kit/program/until.ts'
import { embeddedServer } from '../../../kit/runtime/postgres/embeddedServer.ts'
import { jksBase64 } from '../../../kit/signing/keystores.ts'
import { changeAsset, type SigningAssetView, storeAsset } from '../../../kit/signing/signingAssets.ts'
import { type Identity, SigningFiles } from '../../../kit/signing/signingFiles.ts'

const files = new SigningFiles()
const password = 'Wörd of the certificate 8c1f'
let stage: TestProgram
let machine: Machine
let repositoryId = ''
let identity: Identity
let p12: Buffer
let certificate: SigningAssetView
let storeKey: SigningAssetView
let p8: Buffer

before(async () => {
  stage = await startTestProgram({ env: { LOG_LEVEL: 'trace' } })
  machine = await startMachine(stage)
  ;({ repositoryId } = await withRemote(stage, machine))
  identity = await files.identity()
  p12 = await files.pkcs12(identity, password, '-legacy')
  certificate = await storeAsset(stage.ask, {
    ...{ name: 'Release certificate', kind: 'APPLE_CERTIFICATE', fileName: 'release.p12' },
    ...{ bytes: p12, password },
  })
  p8 = await files.storeKey()
  storeKey = await storeAsset(stage.ask, {
    ...{ name: 'Store', kind: 'APP_STORE_KEY', fileName: 'AuthKey_2X9R4HXF34.p8', bytes: p8 },
    issuerId: '69a6de70-0000-47e3-e053-5b8c7c11a4d1',
  })
})
after(async () => {
  await stage?.end()
  await files.end()
})

const configure = (command: string, input: Readonly<Record<string, unknown>> = {}) =>
  createConfiguration(stage.ask, { repositoryId, steps: [{ name: 'sign', command }], ...input })

async function build(command: string, input: Readonly<Record<string, unknown>>, status = 'SUCCEEDED') {
  const buildConfigurationId = await configure(command, input)
  const { id } = await startBuild(stage.ask, { buildConfigurationId, worktreeId: machine.worktree('main') })
  const done = await untilBuild(stage.ask, id, [status])
  return { done, log: await readBuildLog(stage.ask, id) }
}

/** The folders of attempts that have files of signing assets. */
async function signingFolders(): Promise<readonly string[]> {
  const jobs = join(machine.stateDir, 'jobs')
  const names = await readdir(jobs).catch(() => [])
  return names.map((name) => join(jobs, name, 'signing')).filter((path) => existsSync(path))
}

/** All that the server has written, and all that it has answered. */
async function everything(): Promise<Readonly<Record<string, string>>> {
  const { connection } = await embeddedServer(stage.dataDir)
  const sql = connect({ connection }, { name: 'dump', max: 1 })
  try {
    const tables = await sql<{ name: string }[]>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname = 'public'`
    const rows = await Promise.all(tables.map(({ name }) => sql.unsafe(`select t::text as row from ${name} t`)))
    const all = rows.flatMap((of) => of.map(({ row }) => String(row))).join('\n')
    return { rows: all, log: stage.program.output(), agent: machine.output(), answers: stage.answers.join('\n') }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** A secret in each form in which it could be written. */
function formsOf(secret: Buffer): readonly string[] {
  // In base64, a text begins at each third byte.
  const shifted = [0, 1, 2].map((start) => secret.subarray(start, start + Math.floor((secret.length - 2) / 3) * 3))
  return [
    secret.toString('hex'),
    secret.toString('latin1'),
    secret.toString(),
    ...shifted.flatMap((part) => [part.toString('base64'), part.toString('base64url')]),
  ]
}

test('a build can read its signing files and passwords, no other user can read the files, and they are removed afterwards', async () => {
  const command = `
    set -e
    echo "dir $(stat -c %a "$SIGNALBOX_SIGNING_DIR"), files $(find "$SIGNALBOX_SIGNING_DIR" -type f -exec stat -c %a {} + | sort -u)"
    case "$SIGNALBOX_SIGNING_DIR" in "$PWD"/*) echo "inside of the checkout";; *) echo "outside of the checkout";; esac
    openssl pkcs12 -legacy -in "$SIGNALBOX_SIGNING_RELEASE_CERTIFICATE_PATH" -passin env:SIGNALBOX_SIGNING_RELEASE_CERTIFICATE_PASSWORD -nokeys | openssl x509 -noout -subject
    sha256sum < "$SIGNALBOX_SIGNING_RELEASE_CERTIFICATE_PATH"
    openssl pkey -in "$SIGNALBOX_SIGNING_STORE_PATH" -noout -text | head -n 1
    echo "key $SIGNALBOX_SIGNING_STORE_KEYID of $SIGNALBOX_SIGNING_STORE_ISSUERID"
    echo "the password is $SIGNALBOX_SIGNING_RELEASE_CERTIFICATE_PASSWORD."
    env | grep -c '^SIGNALBOX_SIGNING_'
    basename "$SIGNALBOX_SIGNING_RELEASE_CERTIFICATE_PATH"`
  const { log } = await build(command, { name: 'signed', signingAssets: [certificate.id, storeKey.id] })
  assert.match(log, /dir 700, files 600\n/)
  assert.match(log, /outside of the checkout/)
  assert.match(log, /Apple Distribution: Example GmbH/)
  assert.match(log, /Private-Key: \(256 bit\)/)
  assert.match(log, /key 2X9R4HXF34 of 69a6de70/)
  assert.match(log, /the password is \*\*\*\./)
  assert.match(log, /release\.p12/)
  assert.deepEqual(await signingFolders(), [])
})

test('no row, log line or answer has a byte of a signing file or a password', async () => {
  const found = await everything()
  assert.ok(found.rows?.includes(certificate.id), 'the rows are searched')
  assert.match(found.rows ?? '', /sealed1\./)
  const secrets = { password: Buffer.from(password), certificate: p12.subarray(300, 342), key: p8.subarray(40, 100) }
  for (const [what, secret] of Object.entries(secrets))
    for (const form of formsOf(secret))
      for (const [where, all] of Object.entries(found)) assert.ok(!all.includes(form), `${what} is in ${where}`)
  const shown = await stage.ask(
    `query ($id: ID!) { actor(id: $id) { context init } actorHistory(id: $id, first: 20) { nodes { payload change } } }`,
    { id: certificate.id },
  )
  assert.ok(!JSON.stringify(shown).includes('sealed1.'), 'not even encrypted')
  assert.ok(JSON.stringify(shown).includes('[redacted]'))
})

describe('the files are removed', () => {
  test('after a step that fails, and after a build that is canceled', async () => {
    const signingAssets = [certificate.id]
    await build('exit 3', { name: 'fails', signingAssets }, 'FAILED')
    assert.deepEqual(await signingFolders(), [])
    const buildConfigurationId = await configure('sleep 600', { name: 'sleeps', signingAssets })
    const { id } = await startBuild(stage.ask, { buildConfigurationId, worktreeId: machine.worktree('main') })
    await untilBuild(stage.ask, id, ['RUNNING'])
    const [folder = ''] = await signingFolders()
    const [path = ''] = await readdir(join(folder, 'RELEASE_CERTIFICATE'))
    const file = join(folder, 'RELEASE_CERTIFICATE', path)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.deepEqual(await readFile(file), p12)
    await mutate(stage.ask, 'cancelBuild', { buildId: id }, 'build { id }')
    await untilBuild(stage.ask, id, ['CANCELED'])
    assert.deepEqual(await signingFolders(), [])
  })

  test('at the next start of an agent that was killed together with the build', async () => {
    const buildConfigurationId = await configure('sleep 600', { name: 'killed', signingAssets: [certificate.id] })
    const { id } = await startBuild(stage.ask, { buildConfigurationId, worktreeId: machine.worktree('main') })
    await untilBuild(stage.ask, id, ['RUNNING'])
    const [folder = ''] = await signingFolders()
    const { pid } = JSON.parse(await readFile(join(folder, '..', 'started.json'), 'utf8')) as { pid: number }
    await machine.stop('SIGKILL')
    process.kill(pid, 'SIGKILL')
    assert.equal((await signingFolders()).length, 1, 'no process has removed them yet')
    await machine.start()
    await until('the agent to remove them', async () => (await signingFolders()).length === 0)
    assert.equal((await untilBuild(stage.ask, id, ['FAILED'])).problem?.code, 'PROCESS_LOST')
  })

  test('by the supervisor when the build ends, if only the agent was killed, and the build can read them until then', async () => {
    const command = 'sleep 3; sha256sum < "$SIGNALBOX_SIGNING_RELEASE_CERTIFICATE_PATH"'
    const buildConfigurationId = await configure(command, { name: 'goes on', signingAssets: [certificate.id] })
    const { id } = await startBuild(stage.ask, { buildConfigurationId, worktreeId: machine.worktree('main') })
    await untilBuild(stage.ask, id, ['RUNNING'])
    await machine.stop('SIGKILL')
    await until('the supervisor to end', async () => (await signingFolders()).length === 0)
    await machine.start()
    await untilBuild(stage.ask, id, ['SUCCEEDED'])
  })
})

test('a build has the alias and both passwords of a keystore', async () => {
  const keystore = await storeAsset(stage.ask, {
    ...{ name: 'Upload', kind: 'ANDROID_KEYSTORE', fileName: 'upload.jks', dataBase64: jksBase64 },
    ...{ password: 'store-pass', keyPassword: 'key-pass1', keyAlias: 'upload' },
  })
  const command = `echo "alias $SIGNALBOX_SIGNING_UPLOAD_ALIAS"
    [ "$SIGNALBOX_SIGNING_UPLOAD_PASSWORD" = "$(printf 'store-%s' pass)" ] && [ "$SIGNALBOX_SIGNING_UPLOAD_KEYPASSWORD" = "$(printf 'key-%s' pass1)" ]`
  const { log } = await build(command, { name: 'android', signingAssets: [keystore.id] })
  assert.match(log, /alias upload/)
})

test('the steps have the UUID of a profile, and users see its enrolled devices and matching certificates', async () => {
  const bytes = await files.profile(identity)
  const profile = await storeAsset(stage.ask, {
    ...{ name: 'Shop ad hoc', kind: 'PROVISIONING_PROFILE', fileName: 'shop.mobileprovision', bytes },
  })
  const { signingAsset } = await stage.ask<{ signingAsset: Record<string, unknown> }>(
    `query ($id: ID!) { signingAsset(id: $id) {
      profile { name type deviceCount } devices { enrolledCount includedCount } matchingCertificates { signingAssetId }
    } }`,
    { id: profile.id },
  )
  assert.deepEqual(signingAsset, {
    profile: { name: 'Shop ad hoc', type: 'AD_HOC', deviceCount: 2 },
    devices: { enrolledCount: 0, includedCount: 0 },
    matchingCertificates: [{ signingAssetId: certificate.id }],
  })
  const { log } = await build('echo "$SIGNALBOX_SIGNING_SHOP_AD_HOC_UUID"', { name: 'p', signingAssets: [profile.id] })
  assert.match(log, /8d9a1a4e-7b1c-4d7f-9a58-3a6c7d1f0a11/)
})

test('the next build gets the replaced file of an asset, also if it is a rebuild of an earlier build', async () => {
  const asset = await storeAsset(stage.ask, {
    ...{ name: 'Renewed', kind: 'APP_STORE_KEY', fileName: 'AuthKey_AAAAAAAAAA.p8', bytes: await files.storeKey() },
  })
  const print = 'echo "$SIGNALBOX_SIGNING_RENEWED_KEYID"'
  const { done } = await build(print, { name: 'renewed', signingAssets: [asset.id] })
  const renewed = { fileName: 'AuthKey_BBBBBBBBBB.p8', bytes: await files.storeKey() }
  const replaced = await changeAsset(stage.ask, 'replace', {
    signingAssetId: asset.id,
    ...renewed,
    expectedRevision: 1,
  })
  assert.equal(replaced.revision, 2)
  const { build: again } = await mutate<{ build: { id: string } }>(
    stage.ask,
    'rebuild',
    { buildId: done.id },
    'build { id }',
  )
  await untilBuild(stage.ask, again.id, ['SUCCEEDED'])
  assert.match(await readBuildLog(stage.ask, again.id), /BBBBBBBBBB/)
})

test('an asset that is archived after the start of a build fails the build with the reason, and its bytes are deleted', async () => {
  const asset = await storeAsset(stage.ask, {
    ...{ name: 'Short-lived', kind: 'APP_STORE_KEY', fileName: 'AuthKey_CCCCCCCCCC.p8', bytes: await files.storeKey() },
  })
  const buildConfigurationId = await configure('echo never', { name: 'late', signingAssets: [asset.id] })
  await machine.stop()
  const { id } = await startBuild(stage.ask, { buildConfigurationId, worktreeId: machine.worktree('main') })
  const used = await refusal(changeAsset(stage.ask, 'archive', { signingAssetId: asset.id }))
  assert.equal(used.code, 'FAILED_PRECONDITION')
  assert.match(used.message, /"late"/)
  await mutate(stage.ask, 'archiveBuildConfiguration', { buildConfigurationId }, 'buildConfiguration { id }')
  const archived = await changeAsset(stage.ask, 'archive', { signingAssetId: asset.id })
  assert.equal(archived.status, 'ARCHIVED')
  await machine.start()
  const { problem } = await untilBuild(stage.ask, id, ['FAILED'])
  assert.equal(problem?.code, 'SIGNING_ASSET_UNAVAILABLE')
  assert.match(problem?.message ?? '', /"Short-lived".*ARCHIVED/)
  assert.ok(!(await readBuildLog(stage.ask, id)).includes('never'))
  await mutate(stage.ask, 'unarchiveBuildConfiguration', { buildConfigurationId }, 'buildConfiguration { id }')
  const start = startBuild(stage.ask, { buildConfigurationId, worktreeId: machine.worktree('main') })
  assert.equal((await refusal(start)).details.code, 'SIGNING_ASSET_UNAVAILABLE')
  assert.equal((await lookAtBuild(stage.ask, id)).status, 'FAILED')
  const { rows } = await everything()
  const line = (rows ?? '').split('\n').filter((row) => row.includes(asset.id) && row.includes('sealed1.'))
  assert.deepEqual(line, [], 'its bytes are destroyed')
})
