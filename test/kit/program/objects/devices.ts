/** Apps' installations, as they register themselves for pushes. */
import { randomBytes } from 'node:crypto'
import { ada, rest } from '../accounts.ts'
import { identity } from '../certificates.ts'
import { answerText, fetchProfile, iPhone, postAnswer, signedBy } from '../phone.ts'
import type { TestProgram } from '../testProgram.ts'
import { until } from '../until.ts'

let installations = 0

export const newDevice = () => ({
  clientRegistrationId: `installation-${++installations}`,
  token: randomBytes(32).toString('hex'),
  tokenEncoding: 'HEX',
  topic: 'org.example.app',
  environment: 'PRODUCTION',
  displayName: 'Phone',
})

export const registerDevice = (url: string, body: unknown, headers: Record<string, string>) =>
  rest(url, 'POST', '/api/ios/notification-devices', { body, headers })

/** @returns the ID of a device of the first account */
export async function registeredDevice(url: string): Promise<string> {
  const { body: session } = await rest(url, 'POST', '/api/auth/sign-in/email', { body: ada })
  const { body } = await registerDevice(url, newDevice(), { authorization: `Bearer ${session.token}` })
  return String(body.id)
}

/** The ID of a device that has gone the whole way. */
export async function enrolledDevice({ url, ask }: TestProgram): Promise<string> {
  const { body: session } = await rest(url, 'POST', '/api/auth/sign-in/email', { body: ada })
  const headers = { authorization: `Bearer ${session.token}` }
  const { body } = await rest(url, 'POST', '/api/ios/enrollment/start', { body: {}, headers })
  const { challenge, url: back } = await fetchProfile(String(body.profileUrl))
  await postAnswer(back, await signedBy(await identity({ name: 'iPhone' }), answerText(iPhone, challenge)))
  return await until('the device', async () => {
    const { devices } = await ask<{ devices: { nodes: { id: string }[] } }>('{ devices { nodes { id } } }')
    return devices.nodes[0]?.id
  })
}
