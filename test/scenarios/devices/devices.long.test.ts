/** Devices enroll at two servers that share a database, and while these are killed and started again. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ada, rest } from '../../kit/program/accounts.ts'
import { type Identity, identity } from '../../kit/program/certificates.ts'
import { type Attributes, answerText, anyPhone, fetchProfile, postAnswer, signedBy } from '../../kit/program/phone.ts'
import type { Program } from '../../kit/program/program.ts'
import { asWhom } from '../../kit/program/testProgram.ts'
import { type Shared, sharedDatabase } from '../../kit/program/twoServers.ts'
import { until } from '../../kit/program/until.ts'

let shared: Shared
let here: Program
let there: Program
let phone: Identity
let headers: { authorization: string }

before(async () => {
  shared = await sharedDatabase()
  here = await shared.start('here')
  there = await shared.start('there')
  phone = await identity({ name: 'iPhone' })
  const { body } = await rest(here.url, 'POST', '/api/auth/sign-up/email', { body: ada })
  headers = { authorization: `Bearer ${body.token}` }
})
after(() => shared?.end())

/** An enrollment that began here, whose profile was fetched there. */
async function begun() {
  const { status, body } = await rest(here.url, 'POST', '/api/ios/enrollment/start', { body: {}, headers })
  assert.equal(status, 201, JSON.stringify(body))
  const { id, profileUrl } = body as unknown as { id: string; profileUrl: string }
  const { challenge, url } = await fetchProfile(profileUrl.replace(here.url, there.url))
  return { id, challenge, urls: [url, url.replace(here.url, there.url)] as const }
}

const answer = (device: Attributes, challenge: string) => signedBy(phone, answerText(device, challenge))

async function enrolled(server: Program, id: string): Promise<Record<string, unknown>> {
  const ask = asWhom(server.url, headers)
  return await until('the device has enrolled', async () => {
    const query = `{ deviceEnrollment(id: "${id}") { status device { id udid status enrollmentId } } }`
    const { deviceEnrollment } = await ask<{ deviceEnrollment: { device: Record<string, unknown> | null } }>(query)
    return deviceEnrollment.device?.enrollmentId === id ? deviceEnrollment.device : undefined
  })
}

const devicesWith = async (udid: string | undefined) => {
  const query = '{ devices(first: 100) { nodes { udid } } }'
  const { devices } = await asWhom(here.url, headers)<{ devices: { nodes: { udid: string }[] } }>(query)
  return devices.nodes.filter((one) => one.udid === udid).length
}

test('64 equal answers of one device to both servers get the same response, and the device is listed once', async () => {
  const device = anyPhone()
  const { id, challenge, urls } = await begun()
  const body = await answer(device, challenge)
  const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => postAnswer(urls[n % 2] ?? '', body)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [301])
  assert.equal((await enrolled(here, id)).udid, device.UDID)
  assert.equal(await devicesWith(device.UDID), 1)
})

test('of 16 devices that answer one challenge at both servers, one enrolls and the others get 409', async () => {
  const { id, challenge, urls } = await begun()
  const bodies = await Promise.all(Array.from({ length: 16 }, () => answer(anyPhone(), challenge)))
  const answers = await Promise.all(bodies.map((body, n) => postAnswer(urls[n % 2] ?? '', body)))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [301, ...Array(15).fill(409)])
  await enrolled(there, id)
})

test('one device that enrolls with eight links at both servers is listed once', async () => {
  const device = anyPhone()
  const all = await Promise.all(Array.from({ length: 8 }, begun))
  const answers = await Promise.all(
    all.map(async ({ challenge, urls }, n) => await postAnswer(urls[n % 2] ?? '', await answer(device, challenge))),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [301])
  await until('the device to be listed', async () => ((await devicesWith(device.UDID)) > 0 ? true : undefined))
  assert.equal(await devicesWith(device.UDID), 1)
})

test('an enrollment is kept if both servers are killed after its response, and a repeat gets the same response', async () => {
  const [device, late] = [anyPhone(), anyPhone()]
  const [first, second] = [await begun(), await begun()]
  const body = await answer(device, first.challenge)
  assert.equal((await postAnswer(first.urls[0], body)).status, 301)
  await Promise.all([here.kill(), there.kill()])
  here = await shared.start('here')
  there = await shared.start('there')
  assert.equal((await enrolled(there, first.id)).udid, device.UDID)
  assert.equal((await postAnswer(first.urls[1], body)).status, 301)
  const other = await postAnswer(first.urls[1], await answer(late, first.challenge))
  assert.equal(other.status, 409)
  assert.equal((await postAnswer(second.urls[1], await answer(late, second.challenge))).status, 301)
  assert.equal((await enrolled(here, second.id)).udid, late.UDID)
})
