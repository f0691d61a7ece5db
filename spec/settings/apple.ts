import { describeSignerProblem } from './secrets.ts'
import { describeExample, type SettingsDraft } from './settingsDraft.ts'

/** Apple's push service with a provider token. */
export interface ApnsSettings {
  /** PEM text. */
  readonly key: string
  readonly keyId: string
  readonly teamId: string
  /** An origin. Undefined: Apple's own, by the environment of the device. */
  readonly host: string | undefined
}

/** Signs the profiles that enroll devices. */
export interface DeviceProfileSettings {
  /** PEM texts, the signer's own certificate first. */
  readonly certificates: readonly string[]
  /** PEM text. */
  readonly key: string
}

const apnsNames = ['APNS_KEY', 'APNS_KEY_ID', 'APNS_TEAM_ID', 'APNS_HOST'] as const

export function readApns(draft: SettingsDraft): ApnsSettings | undefined {
  const given = apnsNames.find((name) => draft.isSet(name))
  if (given === undefined) return undefined
  const host = draft.values.APNS_HOST
  return {
    key: draft.require('APNS_KEY', `${given} is set`),
    keyId: draft.require('APNS_KEY_ID', `${given} is set`),
    teamId: draft.require('APNS_TEAM_ID', `${given} is set`),
    host: host && new URL(host).origin,
  }
}

export function readDeviceProfile(draft: SettingsDraft): DeviceProfileSettings | undefined {
  const { DEVICE_PROFILE_CERT: certificates, DEVICE_PROFILE_KEY: key } = draft.values
  if (certificates && key) {
    const problem = describeSignerProblem(certificates[0] ?? '', key)
    if (problem) draft.reject(`DEVICE_PROFILE_KEY ${problem}: ${describeExample('DEVICE_PROFILE_KEY')}`)
    return { certificates, key }
  }
  if (certificates) draft.rejectMissing('DEVICE_PROFILE_KEY', 'DEVICE_PROFILE_CERT is set')
  if (key) draft.rejectMissing('DEVICE_PROFILE_CERT', 'DEVICE_PROFILE_KEY is set')
  return undefined
}
