/** What the two registries keep of a device alike: how it is reached, and what it says of itself. */
import type { Json } from '../../spec/core/actor.ts'
import { registrationKey } from '../../spec/devices/deviceTokens.ts'
import type { MachineContext } from '../framework/define.ts'

/** What a registration is found by never changes; the rest is what its first request said. */
export type DeviceInit = {
  readonly environment: 'SANDBOX' | 'PRODUCTION'
  readonly topic: string
  readonly clientRegistrationId: string
  /** Sealed for Apple's service of this environment. */
  readonly token: string
  readonly details: DeviceDetails
  readonly createdAt: number
}

/** What a device says of itself. Each of the two routes takes some of it. */
export type DeviceDetails = {
  readonly displayName: string
  readonly supportedPushTypes?: Json
  readonly deviceModel?: string
  readonly osVersion?: string
  readonly appVersion?: string
  readonly appBuild?: string
  readonly locale?: string
}

export interface DeviceContext extends MachineContext {
  readonly init: DeviceInit
  readonly id: string
  readonly token: string
  readonly details: DeviceDetails
  readonly registeredAt: number
}

export type Register = { type: 'register'; at: number; token: string; details: DeviceDetails }

export function firstRegistration<I extends DeviceInit>(id: string, init: I) {
  const { token, details, createdAt } = init
  return { init, id, token, details, registeredAt: createdAt }
}

/** The token may be another one: Apple gives an app a new one now and then. */
export function registerAgain({ token, details, at }: Register) {
  return { token, details, registeredAt: at } as const
}

/** One live registration for each environment, topic and `clientRegistrationId`. */
export const keyOfDevice = ({ init }: Pick<DeviceContext, 'init'>): string => registrationKey(init)
