/** Apps' installations, as they register themselves for pushes. */
import { randomBytes } from 'node:crypto'
import { ada, rest } from './accounts.ts'

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
