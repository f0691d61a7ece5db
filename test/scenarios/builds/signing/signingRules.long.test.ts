/** The rules of signing assets: names, revisions, uses, runs, expiry, and the change of APP_SECRET. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type BareAgent, reportWorktree, startBareAgent } from '../../../kit/program/bareAgent.ts'
import { modern } from '../../../kit/program/mcp.ts'
import { createConfiguration, startBuild, untilBuild } from '../../../kit/program/objects/builds.ts'
import { enrolledDevice } from '../../../kit/program/objects/devices.ts'
import { iPhone } from '../../../kit/program/phone.ts'
import { type BegunRun, beginRun, makePreset, mutate } from '../../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../../kit/program/testProgram.ts'
import { until } from '../../../kit/program/until.ts'
import { changeAsset, storeAsset } from '../../../kit/signing/signingAssets.ts'
import { type Identity, SigningFiles } from '../../../kit/signing/signingFiles.ts'

const files = new SigningFiles()
const [former, present] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
let stage: TestProgram
let agent: BareAgent
let worktreeId = ''
let repositoryId = ''
let identity: Identity
let p8: Buffer

before(async () => {
  stage = await startTestProgram({ env: { APP_SECRET: former } })
  agent = await startBareAgent(stage, 'bare')
  const worktrees = await reportWorktree(
    stage,
    agent,
    '/srv/shop',
    ['main', 'other'],
    'https://git.example.com/acme/shop.git',
  )
  worktreeId = worktrees.main ?? ''
  const { codebases } = await stage.ask<{ codebases: { nodes: { repository: { id: string } | null }[] } }>(
    '{ codebases { nodes { repository { id } } } }',
  )
  repositoryId = codebases.nodes[0]?.repository?.id ?? ''
  otherWorktree = worktrees.other ?? ''
  identity = await files.identity()
  p8 = await files.storeKey()
})
let otherWorktree = ''
after(async () => {
  await stage?.end()
  await files.end()
})

let count = 0
const keyFile = () => ({ kind: 'APP_STORE_KEY', fileName: `AuthKey_KEY${++count}.p8`, bytes: p8 })

describe('a name', () => {
  test('defines the variable, which two assets cannot share until one is archived', async () => {
    const { id, variable } = await storeAsset(stage.ask, { name: 'Store key 1', ...keyFile() })
    assert.equal(variable, 'STORE_KEY_1')
    const taken = await refusal(storeAsset(stage.ask, { name: 'store-key.1', ...keyFile() }))
    assert.deepEqual([taken.code, taken.details.field, taken.details.id], ['CONFLICT', 'name', id])
    await changeAsset(stage.ask, 'archive', { signingAssetId: id })
    const next = await storeAsset(stage.ask, { name: 'store-key.1', ...keyFile() })
    const renamed = await changeAsset(stage.ask, 'rename', { signingAssetId: next.id, name: 'Z', expectedRevision: 1 })
    assert.deepEqual([renamed.variable, renamed.revision], ['Z', 2])
    const stale = { signingAssetId: next.id, name: 'Y', expectedRevision: 1 }
    assert.equal((await refusal(changeAsset(stage.ask, 'rename', stale))).code, 'CONFLICT')
    const bad = await refusal(storeAsset(stage.ask, { name: '1 key', ...keyFile() }))
    assert.equal(bad.code, 'BAD_USER_INPUT')
  })

  test('is stored once for a repeated request', async () => {
    const request = { name: 'Repeated', ...keyFile(), idempotencyKey: 'repeated' }
    const [first, second] = [await storeAsset(stage.ask, request), await storeAsset(stage.ask, request)]
    assert.equal(first.id, second.id)
    const other = await refusal(storeAsset(stage.ask, { ...request, bytes: await files.storeKey() }))
    assert.equal(other.code, 'CONFLICT')
  })
})

test('a refusal names the field and repeats neither the file nor the password', async () => {
  const bytes = await files.pkcs12(identity, 'the right one')
  const wrong = { name: 'Wrong', kind: 'APPLE_CERTIFICATE', fileName: 'a.p12', bytes, password: 'the wrong one' }
  const { code, details, message } = await refusal(storeAsset(stage.ask, wrong))
  assert.deepEqual([code, details.field], ['BAD_USER_INPUT', 'password'])
  assert.ok(!JSON.stringify([message, details]).includes('the wrong one'))
  const large = { name: 'Large', kind: 'APPLE_CERTIFICATE', fileName: 'a.p12', bytes: Buffer.alloc(1024 * 1024 + 1) }
  assert.equal((await refusal(storeAsset(stage.ask, large))).code, 'BAD_USER_INPUT')
  const noBase64 = { name: 'No', kind: 'APPLE_CERTIFICATE', fileName: 'a.p12', dataBase64: 'not base64' }
  assert.equal((await refusal(storeAsset(stage.ask, noBase64))).details.field, 'dataBase64')
})

test('the devices of a profile are compared with the enrolled ones', async () => {
  const deviceId = await enrolledDevice(stage)
  const look = async (udids: readonly string[]) => {
    const bytes = await files.profile(identity, { ProvisionedDevices: udids })
    const name = `Profile ${++count}`
    const { id } = await storeAsset(stage.ask, {
      name,
      kind: 'PROVISIONING_PROFILE',
      fileName: 'a.mobileprovision',
      bytes,
    })
    const { signingAsset } = await stage.ask<{ signingAsset: { devices: unknown } }>(
      'query ($id: ID!) { signingAsset(id: $id) { devices { enrolledCount includedCount devices { deviceId isIncluded } } } }',
      { id },
    )
    return signingAsset.devices
  }
  const devices = (isIncluded: boolean) => ({
    enrolledCount: 1,
    includedCount: Number(isIncluded),
    devices: [{ deviceId, isIncluded }],
  })
  assert.deepEqual(await look([String(iPhone.UDID).toLowerCase(), 'X']), devices(true))
  assert.deepEqual(await look(['X']), devices(false))
})

test('a configuration shows its signing assets, and refuses unknown ones and more than 20', async () => {
  const { id } = await storeAsset(stage.ask, { name: 'Named', ...keyFile() })
  const none = `sga_${'0'.repeat(26)}`
  const unknown = await refusal(createConfiguration(stage.ask, { repositoryId, signingAssets: [none] }))
  assert.deepEqual([unknown.code, unknown.details.field], ['NOT_FOUND', 'signingAssets'])
  const many = Array.from({ length: 21 }, () => id)
  assert.equal(
    (await refusal(createConfiguration(stage.ask, { repositoryId, signingAssets: many }))).code,
    'BAD_USER_INPUT',
  )
  const configurationId = await createConfiguration(stage.ask, { repositoryId, name: 'named', signingAssets: [id] })
  const { buildConfiguration, signingAsset } = await stage.ask<Record<string, unknown>>(
    `query ($id: ID!, $asset: ID!) {
      buildConfiguration(id: $id) { content { signingAssetIds signingForRuns } }
      signingAsset(id: $asset) { uses { totalCount configurations { buildConfigurationId name } } }
    }`,
    { id: configurationId, asset: id },
  )
  assert.deepEqual(buildConfiguration, { content: { signingAssetIds: [id], signingForRuns: false } })
  const configurations = [{ buildConfigurationId: configurationId, name: 'named' }]
  assert.deepEqual(signingAsset, { uses: { totalCount: 1, configurations } })
})

describe('a run', () => {
  let run: BegunRun
  let assetId = ''
  let signed = ''
  const call = async (name: string, given: Readonly<Record<string, unknown>>) => {
    const scope = `?run=${run.runId}`
    const { body } = await modern(stage, 'tools/call', { name, arguments: given }, { headers: run.token, scope })
    return JSON.stringify(body?.result ?? body?.error)
  }
  const recipe = (name: string) => ({ name, steps: [{ name: 's', command: 'env' }] })

  before(async () => {
    assetId = (await storeAsset(stage.ask, { name: 'For people', ...keyFile() })).id
    signed = await createConfiguration(stage.ask, { repositoryId, name: 'signed', signingAssets: [assetId] })
    const preset = await makePreset(stage, [
      ...['create_build_configuration', 'update_build_configuration', 'start_build', 'get_signing_asset'],
      ...['archive_signing_asset', 'rename_signing_asset'],
    ])
    run = await beginRun(stage, agent, otherWorktree, [preset])
  })

  test('cannot start a build that gets signing assets, unless the configuration allows it', async () => {
    const refused = await call('start_build', { buildConfigurationId: signed, worktreeId })
    assert.match(refused, /FORBIDDEN/)
    assert.match(refused, /signingForRuns/)
    const allowed = { repositoryId, name: 'for runs', signingAssets: [assetId], signingForRuns: true }
    const buildConfigurationId = await createConfiguration(stage.ask, allowed)
    assert.match(await call('start_build', { buildConfigurationId, worktreeId }), /bld_/)
  })

  test('cannot give itself signing assets: it can neither name them nor change the steps that get them', async () => {
    const named = { repositoryId, ...recipe('mine'), signingAssets: [assetId] }
    assert.match(await call('create_build_configuration', named), /FORBIDDEN/)
    const allowing = { repositoryId, ...recipe('mine'), signingForRuns: true }
    assert.match(await call('create_build_configuration', allowing), /FORBIDDEN/)
    assert.match(
      await call('update_build_configuration', { buildConfigurationId: signed, ...recipe('signed') }),
      /FORBIDDEN/,
    )
    assert.match(await call('create_build_configuration', { repositoryId, ...recipe('mine') }), /bcf_/)
  })

  test('can read the facts of a signing asset, but not its file, and cannot change it', async () => {
    const shown = await call('get_signing_asset', { id: assetId })
    assert.match(shown, /For people/)
    assert.ok(!shown.includes('sealed') && !shown.includes('PRIVATE'))
    assert.match(await call('rename_signing_asset', { signingAssetId: assetId, name: 'Mine' }), /FORBIDDEN/)
    assert.match(await call('archive_signing_asset', { signingAssetId: assetId }), /FORBIDDEN/)
  })
})

test('an agent that does not support signing assets gets none, and neither does an old connection', async () => {
  const { id } = await storeAsset(stage.ask, { name: 'Old agent', ...keyFile() })
  const buildConfigurationId = await createConfiguration(stage.ask, { repositoryId, name: 'old', signingAssets: [id] })
  const started = await startBuild(stage.ask, { buildConfigurationId, worktreeId })
  const jobId = started.id.replace('bld_', 'job_')
  const offer = await agent.offers.first('the offer', (one) => one.signal === 'OFFER' && one.jobId === jobId)
  const accept = (input: Readonly<Record<string, unknown>>) =>
    refusal(agent.say('acceptJob', { jobId, attempt: offer.attempt, ...input }, 'signingAssets { dataBase64 }'))
  assert.equal((await accept({ takesSigningAssets: true, epoch: 0 })).code, 'STALE_EPOCH')
  assert.equal((await accept({ takesSigningAssets: true, attempt: offer.attempt + 1 })).code !== 'GRANTED', true)
  assert.equal((await accept({})).details.code, 'AGENT_TOO_OLD')
  const { problem } = await untilBuild(stage.ask, started.id, ['FAILED'])
  assert.equal(problem?.code, 'AGENT_TOO_OLD')
})

test('the Action Center lists an asset that expires within 30 days or has expired, until it is replaced or archived', async () => {
  const items = async () => {
    const { actionCenter } = await stage.ask<{
      actionCenter: { items: { kind: string; severity: string; title: string; actorId: string }[] }
    }>(
      '{ actionCenter(kinds: [SIGNING_ASSET_EXPIRED, SIGNING_ASSET_EXPIRING]) { items { kind severity title actorId } } }',
    )
    return actionCenter.items.map(({ kind, severity, title }) => [kind, severity, title])
  }
  assert.deepEqual(await items(), [])
  const certificate = async (name: string, days: number) => {
    const bytes = await files.pkcs12(await files.identity('Apple Development', days), 'p')
    return { name, kind: 'APPLE_CERTIFICATE', fileName: 'a.p12', bytes, password: 'p' }
  }
  const soon = await storeAsset(stage.ask, await certificate('Soon', 29))
  await storeAsset(stage.ask, await certificate('Later', 31))
  const expired = await files.profile(identity, { ExpirationDate: new Date(Date.now() - 60_000) })
  const gone = await storeAsset(stage.ask, {
    ...{ name: 'Gone', kind: 'PROVISIONING_PROFILE', fileName: 'a.mobileprovision', bytes: expired },
  })
  assert.deepEqual(await items(), [
    ['SIGNING_ASSET_EXPIRED', 'HIGH', 'Gone'],
    ['SIGNING_ASSET_EXPIRING', 'NORMAL', 'Soon'],
  ])
  const news = await until('both notifications', async () => {
    const { notifications } = await stage.ask<{
      notifications: { nodes: { reason: string; title: string; body: string; actorId: string }[] }
    }>('{ notifications(first: 50) { nodes { reason title body actorId } } }')
    const found = notifications.nodes.filter(({ reason }) => reason === 'ACTION_NEEDED')
    return found.length >= 2 ? found.map(({ title, body, actorId }) => [title, body, actorId]).sort() : undefined
  })
  assert.deepEqual(news, [
    ['Signing asset expired', 'Gone', gone.id],
    ['Signing asset expires soon', 'Soon', soon.id],
  ])
  const configuration = { repositoryId, name: 'expired', signingAssets: [gone.id] }
  const buildConfigurationId = await createConfiguration(stage.ask, configuration)
  const start = await refusal(startBuild(stage.ask, { buildConfigurationId, worktreeId }))
  assert.equal(start.details.code, 'SIGNING_ASSET_EXPIRED')
  const { name: _, kind: __, ...renewed } = await certificate('Soon', 365)
  await changeAsset(stage.ask, 'replace', { signingAssetId: soon.id, ...renewed })
  await mutate(stage.ask, 'archiveBuildConfiguration', { buildConfigurationId }, 'buildConfiguration { id }')
  await changeAsset(stage.ask, 'archive', { signingAssetId: gone.id })
  assert.deepEqual(await items(), [])
})

test('signing assets are re-encrypted after a change of APP_SECRET, and the former secret is not needed any more', async () => {
  const { id } = await storeAsset(stage.ask, { name: 'Rotated', ...keyFile() })
  const buildConfigurationId = await createConfiguration(stage.ask, {
    repositoryId,
    name: 'rotated',
    signingAssets: [id],
  })
  await stage.restart({ env: { APP_SECRET: present, APP_SECRET_PREVIOUS: former } })
  await stage.restart({ env: { APP_SECRET: present } })
  const again = await startBareAgent(stage, 'again')
  const worktrees = await reportWorktree(stage, again, '/srv/again', ['main'], 'https://git.example.com/acme/shop.git')
  const started = await startBuild(stage.ask, { buildConfigurationId, worktreeId: worktrees.main })
  const jobId = started.id.replace('bld_', 'job_')
  const offer = await again.offers.first('the offer', (one) => one.signal === 'OFFER' && one.jobId === jobId)
  const accepted = await again.say<{ signingAssets: { dataBase64: string }[] }>(
    'acceptJob',
    { jobId, attempt: offer.attempt, takesSigningAssets: true },
    'signingAssets { dataBase64 }',
  )
  assert.deepEqual(accepted.signingAssets, [{ dataBase64: p8.toString('base64') }])
})
