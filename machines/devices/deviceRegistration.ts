/** The data that both kinds of registrations store of a device: its token and the details that it reports. */
import type { Json } from '../../spec/core/actor.ts'
import { registrationKey } from '../../spec/devices/deviceTokens.ts'
import type { MachineContext } from '../framework/define.ts'

/** The fields that identify a registration never change. The others are those of the first request. */
export type DeviceRegistrationInit = {
  readonly environment: 'SANDBOX' | 'PRODUCTION'
  readonly topic: string
  readonly clientRegistrationId: string
  /** Encrypted for Apple's service of this environment. */
  readonly token: string
  readonly details: DeviceDetails
  readonly createdAt: number
}

/** `displayName`, and the other fields that the route accepts. */
export type DeviceDetails = {
  readonly displayName: string
  readonly supportedPushTypes?: Json
  readonly deviceModel?: string
  readonly osVersion?: string
  readonly appVersion?: string
  readonly appBuild?: string
  readonly locale?: string
}

export interface DeviceRegistrationContext extends MachineContext {
  readonly init: DeviceRegistrationInit
  readonly id: string
  readonly token: string
  readonly details: DeviceDetails
  readonly registeredAt: number
}

export type Register = { type: 'register'; at: number; token: string; details: DeviceDetails }

export function firstRegistration<I extends DeviceRegistrationInit>(id: string, init: I) {
  const { token, details, createdAt } = init
  return { init, id, token, details, registeredAt: createdAt }
}

/** The token may differ: Apple gives an app a new one from time to time. */
export function registerAgain({ token, details, at }: Register) {
  return { token, details, registeredAt: at } as const
}

/** There is one active registration for each environment, topic and `clientRegistrationId`. */
export const keyOfDevice = ({ init }: Pick<DeviceRegistrationContext, 'init'>): string => registrationKey(init)
