/** A device enrolls: the link, the profile, the signed answer, and what is known of it then. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { type Identity, identity } from '../../kit/program/certificates.ts'
import { answerText, anyPhone, fetchProfile, iPhone, postAnswer, signedBy } from '../../kit/program/phone.ts'
import { until } from '../../kit/program/until.ts'
import { type DeviceGateway, startDeviceGateway } from '../../kit/runtime/deviceGateway.ts'

let one: DeviceGateway
let phone: Identity

before(async () => {
  one = await startDeviceGateway({}, { operations, objectTypes })
  phone = await identity({ name: 'iPhone' })
})
after(() => one.stop())

const fields =
  'id status displayName udid serial product platform osVersion enrolledAt enrolledById enrolledBy { id } enrollmentId'
type Device = Readonly<Record<string, string | null>>

async function deviceOf(enrollmentId: string): Promise<Device> {
  const query = `query ($id: ID!) { deviceEnrollment(id: $id) { status problem deviceId device { ${fields} } } }`
  return await until('the device has its enrollment', async () => {
    const found = await one.ask<{ deviceEnrollment: { device: Device | null } }>(query, { id: enrollmentId })
    const { device } = found.deviceEnrollment
    return device?.enrollmentId === enrollmentId ? device : undefined
  })
}

const exported = async () =>
  await (await fetch(`${one.world.url}/api/ios/devices/export.tsv`, { headers: one.headers })).text()

test('a user begins an enrollment, and the device fetches the profile, answers it and gets a page in its language', async () => {
  const { id, profileUrl, expiresAt } = await one.begin()
  assert.match(
    profileUrl,
    new RegExp(`^${one.world.url}/api/public/device-enrollments/${id}/profile\\?token=[\\w-]{43}$`),
  )
  assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - 900_000) < 60_000)
  assert.equal(await one.statusOf(id), 'STARTED')

  const { bytes, headers, url, challenge } = await fetchProfile(profileUrl, { 'accept-language': 'de-AT, en;q=0.5' })
  assert.equal(headers.get('content-type'), 'application/x-apple-aspen-config')
  assert.equal(headers.get('content-disposition'), 'attachment; filename="signalbox.mobileconfig"')
  assert.equal(headers.get('cache-control'), 'no-store')
  const text = Buffer.from(bytes).toString()
  assert.match(text, /<key>PayloadType<\/key><string>Profile Service<\/string>/)
  assert.match(text, /Teilt Signalbox/)
  assert.equal(url, `${one.world.url}/api/public/device-enrollments/${id}`)
  assert.notEqual(challenge, new URL(profileUrl).searchParams.get('token'))
  assert.equal(await one.statusOf(id), 'PROFILE_SENT')

  const answer = await postAnswer(url, await signedBy(phone, answerText(iPhone, challenge)))
  assert.equal(answer.status, 301, await answer.text())
  assert.equal(answer.headers.get('cache-control'), 'no-store', 'another enrollment asks again')
  const page = await fetch(answer.headers.get('location') ?? '', { headers: { 'accept-language': 'ja' } })
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-language'), 'ja')
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/)
  assert.match(await page.text(), /<html lang="ja">[\s\S]*このデバイスは登録されました/)

  const { id: deviceId, enrolledAt, ...device } = await deviceOf(id)
  assert.match(deviceId ?? '', /^dev_/)
  assert.ok(Math.abs(Date.parse(enrolledAt ?? '') - Date.now()) < 60_000)
  assert.deepEqual(device, {
    status: 'ENROLLED',
    displayName: 'Ada’s iPhone',
    udid: iPhone.UDID,
    serial: iPhone.SERIAL,
    product: 'iPhone15,2',
    platform: 'IOS',
    osVersion: '22F76',
    enrolledById: one.userId,
    enrolledBy: { id: one.userId },
    enrollmentId: id,
  })
  assert.match(
    await exported(),
    /^Device ID\tDevice Name\tDevice Platform\n[\s\S]*00008110-000A1B2C3D4E5F60\tAda’s iPhone\tios\n/,
  )
})

test('a device that enrolls again keeps its ID, and its name unless the enrollment has another one', async () => {
  const device = anyPhone()
  const first = await deviceOf((await one.enroll(device, phone)).id)
  await one.ask('mutation ($input: RenameDeviceInput!) { renameDevice(input: $input) { device { id } } }', {
    input: { deviceId: first.id, displayName: 'The test phone' },
  })
  const later = { ...device, UDID: device.UDID?.toLowerCase() ?? '', VERSION: '23A1' }
  const second = await deviceOf((await one.enroll(later, phone)).id)
  assert.deepEqual([second.id, second.displayName, second.osVersion], [first.id, 'The test phone', '23A1'])
  const third = await deviceOf((await one.enroll(device, phone, 'Named at the start')).id)
  assert.deepEqual([third.id, third.displayName], [first.id, 'Named at the start'])
})

test('a removed device loses its data, and can enroll again', async () => {
  const device = anyPhone()
  const { id } = await deviceOf((await one.enroll(device, phone)).id)
  const remove = async () =>
    await one.ask<{ removeDevice: { device: Device } }>(
      `mutation ($id: ID!) { removeDevice(input: { deviceId: $id }) { device { ${fields} } } }`,
      { id },
    )
  const gone = (await remove()).removeDevice.device
  assert.deepEqual(
    Object.entries(gone).filter(([, value]) => value !== null),
    [
      ['id', id],
      ['status', 'REMOVED'],
      ['platform', 'IOS'],
    ],
  )
  await remove()
  assert.ok(!(await exported()).includes(device.UDID ?? 'none'))
  const { nodes, totalCount } = (
    await one.ask<{ devices: { nodes: Device[]; totalCount: number } }>('{ devices { nodes { id } totalCount } }')
  ).devices
  assert.ok(nodes.length === totalCount && nodes.every((node) => node.id !== id))
  const row = await one.world.storage.views.find(id ?? '')
  assert.ok(!JSON.stringify(row).includes(device.UDID ?? 'none'), 'nothing of it is left')
  const again = await deviceOf((await one.enroll(device, phone)).id)
  assert.deepEqual([again.id, again.status, again.udid], [id, 'ENROLLED', device.UDID])
})

test('an empty name or a name on two lines is refused, and a removed device cannot be renamed', async () => {
  const { id } = await deviceOf((await one.enroll(anyPhone(), phone)).id)
  const rename = async (displayName: string) => {
    const query = 'mutation ($input: RenameDeviceInput!) { renameDevice(input: $input) { device { id } } }'
    const { body } = await one.world.graphql(query, { input: { deviceId: id, displayName } }, one.headers)
    return body.errors?.[0]?.extensions.code
  }
  assert.equal(await rename('a\nb'), 'BAD_USER_INPUT')
  assert.equal(await rename(''), 'BAD_USER_INPUT')
  assert.equal(await rename('fine'), undefined)
  await one.ask('mutation ($id: ID!) { removeDevice(input: { deviceId: $id }) { device { id } } }', { id })
  assert.equal(await rename('late'), 'FAILED_PRECONDITION')
})

test('identifiers, challenge and token are in no journal, no log and no view for operators', async () => {
  const device = anyPhone()
  const { id, profileUrl } = await one.begin()
  const { challenge, url } = await fetchProfile(profileUrl)
  await postAnswer(url, await signedBy(phone, answerText({ ...device, SERIAL: 'SERIAL0' }, challenge)))
  const { id: deviceId = '' } = await deviceOf(id)
  await one.ask('mutation ($id: ID!) { removeDevice(input: { deviceId: $id }) { device { id } } }', { id: deviceId })
  const { views } = one.world.storage
  const shown = JSON.stringify([
    await views.history({ id, limit: 20 }),
    await views.history({ id: deviceId ?? '', limit: 20 }),
    await one.ask(
      'query ($id: ID!) { actor(id: $id) { id init context } actorHistory(id: $id) { nodes { payload change } } }',
      { id },
    ),
    await one.ask('query ($id: ID!) { actor(id: $id) { id init context } }', { id: deviceId }),
    one.world.logs,
  ])
  const token = new URL(profileUrl).searchParams.get('token') ?? 'none'
  for (const secret of [device.UDID ?? 'none', 'SERIAL0', challenge, token]) assert.ok(!shown.includes(secret), secret)
  assert.ok(!JSON.stringify(await views.find(id)).includes(challenge), 'the stored challenge is encrypted')
})

describe('an enrollment', () => {
  const start = (headers: Readonly<Record<string, string>>) =>
    fetch(`${one.world.url}/api/ios/enrollment/start`, { method: 'POST', headers })

  test('cannot be started with an API key, and neither can the devices be exported', async () => {
    const headers = { 'x-api-key': (await one.world.apiKey(one.userId)).token }
    assert.equal((await start(headers)).status, 403)
    assert.equal((await fetch(`${one.world.url}/api/ios/devices/export.tsv`, { headers })).status, 403)
  })

  test('returns no link for a repeated start', async () => {
    const headers = { ...one.headers, 'idempotency-key': 'twice' }
    const [first, second] = [await (await start(headers)).json(), await (await start(headers)).json()]
    const { profileUrl, ...rest } = first as { profileUrl: string }
    assert.ok(profileUrl)
    assert.deepEqual(second, { ...rest, profileUrl: null })
  })

  test('needs the token of its link, and HEAD changes nothing', async () => {
    const { id, profileUrl } = await one.begin()
    const head = await fetch(profileUrl, { method: 'HEAD' })
    assert.deepEqual([head.status, await one.statusOf(id)], [200, 'STARTED'])
    for (const token of ['', 'guess', 'x'.repeat(43)]) {
      const wrong = await fetch(`${one.world.url}/api/public/device-enrollments/${id}/profile?token=${token}`)
      assert.equal(wrong.status, token === '' ? 400 : 401)
    }
    assert.equal(await one.statusOf(id), 'STARTED')
  })

  test('does not show the page of its end before the device has enrolled', async () => {
    const { id } = await one.begin()
    const page = await fetch(`${one.world.url}/api/public/device-enrollments/${id}/done`)
    const { error } = (await page.json()) as { error: { code: string; state: string } }
    assert.deepEqual([page.status, error.code, error.state], [409, 'FAILED_PRECONDITION', 'STARTED'])
  })
})

test('after 15 minutes the link and the challenge are refused', async () => {
  const [late, later] = [await one.begin(), await one.begin()]
  const { challenge, url } = await fetchProfile(late.profileUrl)
  one.world.ahead = 901_000
  try {
    const answer = await postAnswer(url, await signedBy(phone, answerText(anyPhone(), challenge)))
    const { error } = (await answer.json()) as { error: { code: string; state: string } }
    assert.deepEqual([answer.status, error.code, error.state], [409, 'FAILED_PRECONDITION', 'EXPIRED'])
    assert.equal((await fetch(later.profileUrl)).status, 409)
    assert.deepEqual([await one.statusOf(late.id), await one.statusOf(later.id)], ['EXPIRED', 'EXPIRED'])
  } finally {
    one.world.ahead = 0
  }
})

test('64 concurrent copies of one answer all succeed, and there is one device', async () => {
  const device = anyPhone()
  const { id, profileUrl } = await one.begin()
  const { challenge, url } = await fetchProfile(profileUrl)
  const body = await signedBy(phone, answerText(device, challenge))
  const answers = await Promise.all(Array.from({ length: 64 }, () => postAnswer(url, body)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([301]))
  const { id: deviceId } = await deviceOf(id)
  const all = await one.world.storage.views.list({ kind: 'device', limit: 1_000 })
  assert.equal(all.filter((row) => JSON.stringify(row).includes(device.UDID ?? '')).length, 1)
  const steps = await one.world.storage.views.history({ id, limit: 20 })
  assert.deepEqual(
    steps.map(({ event }) => event),
    ['create', 'send', 'answer'],
  )
  const own = await one.world.storage.views.history({ id: deviceId ?? '', limit: 20 })
  assert.deepEqual(
    own.map(({ event }) => event),
    ['create', 'enrolled'],
  )
})

test('of 16 devices with the same challenge one enrolls', async () => {
  const { id, profileUrl } = await one.begin()
  const { challenge, url } = await fetchProfile(profileUrl)
  const bodies = await Promise.all(Array.from({ length: 16 }, () => signedBy(phone, answerText(anyPhone(), challenge))))
  const answers = await Promise.all(bodies.map((body) => postAnswer(url, body)))
  assert.equal(answers.filter(({ status }) => status === 301).length, 1)
  assert.equal(answers.filter(({ status }) => status === 409).length, 15)
  assert.equal(await one.statusOf(id), 'ENROLLED')
})
