/** A gateway with a person who enrolls devices. */
import assert from 'node:assert/strict'
import type { GatewayOptions, GatewaySettings } from '../../../gateway/options.ts'
import { bearer } from '../../gateway/rest/cases/call.ts'
import type { Identity } from '../program/certificates.ts'
import { type Attributes, answerText, fetchProfile, postAnswer, signedBy } from '../program/phone.ts'
import { startTestGateway, type TestGateway } from './testGateway.ts'

export interface Begun {
  readonly id: string
  readonly profileUrl: string
  readonly expiresAt: string
}

export interface DeviceGateway {
  readonly world: TestGateway
  readonly userId: string
  readonly headers: Readonly<Record<string, string>>
  begin(displayName?: string): Promise<Begun>
  /** The whole way of one device. */
  enroll(device: Attributes, signer: Identity, displayName?: string): Promise<Begun & { readonly status: number }>
  /** Of GraphQL, as that person. */
  ask<T = unknown>(query: string, variables?: Record<string, unknown>): Promise<T>
  statusOf(enrollmentId: string): Promise<string>
  stop(): Promise<void>
}

export async function startDeviceGateway(
  settings: Partial<GatewaySettings> = {},
  options: Partial<GatewayOptions> = {},
): Promise<DeviceGateway> {
  const limits = { deviceEnrollmentRequestsPerMinute: 100_000, ...settings.limits }
  const world = await startTestGateway({ settings: { ...settings, limits }, options })
  const { userId, token } = await world.signIn()
  const headers = bearer(token)
  const one: DeviceGateway = {
    world,
    userId,
    headers,
    async begin(displayName) {
      const response = await fetch(`${world.url}/api/ios/enrollment/start`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ displayName }),
      })
      const body = await response.json()
      assert.equal(response.status, 201, JSON.stringify(body))
      return body as Begun
    },
    async enroll(device, signer, displayName) {
      const begun = await one.begin(displayName)
      const { challenge, url } = await fetchProfile(begun.profileUrl)
      const { status } = await postAnswer(url, await signedBy(signer, answerText(device, challenge)))
      return { ...begun, status }
    },
    async ask<T>(query: string, variables?: Record<string, unknown>) {
      const { body } = await world.graphql(query, variables, headers)
      assert.equal(body.errors, undefined, JSON.stringify(body.errors))
      return body.data as T
    },
    async statusOf(enrollmentId) {
      const found = await world.storage.views.find(enrollmentId)
      return found?.columns.status ?? 'none'
    },
    stop: () => world.stop(),
  }
  return one
}
