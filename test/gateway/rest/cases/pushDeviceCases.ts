import { pushDeviceRoutes } from '../../../../spec/devices/pushDeviceRoutes.ts'
import { somebody, with_ } from './callers.ts'
import type { Cases, Lead } from './caseForm.ts'
import type { TroubledGateways } from './troubledGateways.ts'

const { registerApnsDevice, registerNotificationDevice } = pushDeviceRoutes

let installations = 0

/** The registration of a new app installation. */
export const newDevice = () => ({
  clientRegistrationId: `installation-${++installations}`,
  token: 'ab'.repeat(32),
  tokenEncoding: 'HEX',
  topic: 'org.example.app',
  environment: 'SANDBOX',
  displayName: 'Ada’s phone',
})

const anybodys = async () => ({ body: { ...newDevice(), supportedPushTypes: ['alert'] } })
const mine = async (stage: TroubledGateways) => await with_(stage, { body: newDevice() })
const wrong =
  (change: Readonly<Record<string, unknown>>): Lead =>
  async (stage) => ({ body: { ...(await anybodys()).body, ...change }, headers: (await somebody(stage)).headers ?? {} })

const refused: Readonly<Record<string, Lead>> = {
  '400 BAD_USER_INPUT a token in the other encoding': wrong({ token: Buffer.alloc(32, 250).toString('base64') }),
  '400 BAD_USER_INPUT a token that is too short': wrong({ token: 'abcd' }),
  '400 BAD_USER_INPUT a token that is too long': wrong({ token: 'ab'.repeat(101) }),
  '400 BAD_USER_INPUT an unknown environment': wrong({ environment: 'STAGING' }),
  '400 BAD_USER_INPUT a topic that would break a header': wrong({ topic: 'a\r\nb: c' }),
  '400 BAD_USER_INPUT an empty registration ID': wrong({ clientRegistrationId: '' }),
}

export const pushDeviceCases: readonly Cases[] = [
  {
    route: registerApnsDevice,
    right: anybodys,
    own: {
      ...refused,
      '200': async (stage) => {
        const sent = await anybodys()
        await stage.call(registerApnsDevice, sent)
        return sent
      },
      '201 with unknown fields': async () => ({ body: { ...(await anybodys()).body, osVersion: '26' } }),
      '201 with an invalid credential': async () => ({
        ...(await anybodys()),
        headers: { authorization: 'Bearer nobodys' },
      }),
      '400 BAD_USER_INPUT no push type': wrong({ supportedPushTypes: [] }),
      '429 RATE_LIMITED': async (stage) => await stage.pastRate(registerApnsDevice, await anybodys()),
      '503 UNAVAILABLE': async (stage) => await stage.whileBusy(registerApnsDevice, await anybodys()),
    },
  },
  {
    route: registerNotificationDevice,
    right: mine,
    own: {
      ...refused,
      '200': async (stage) => {
        const sent = await mine(stage)
        await stage.call(registerNotificationDevice, sent)
        return sent
      },
      '201 with all optional fields': async (stage) => {
        const more = {
          deviceModel: 'iPhone17,3',
          osVersion: '26.1',
          appVersion: '2.4',
          appBuild: '1187',
          locale: 'de-CH',
        }
        return await with_(stage, { body: { ...newDevice(), ...more } })
      },
      '201 in base64': async (stage) =>
        await with_(stage, {
          body: { ...newDevice(), token: Buffer.alloc(32, 250).toString('base64'), tokenEncoding: 'BASE64' },
        }),
      '400 BAD_USER_INPUT a field of the other route': async (stage) =>
        await with_(stage, { body: { ...newDevice(), supportedPushTypes: ['alert'] } }),
      '400 BAD_USER_INPUT an invalid locale': async (stage) =>
        await with_(stage, { body: { ...newDevice(), locale: 'Deutsch bitte' } }),
      '429 RATE_LIMITED': async (stage) => await stage.pastRate(registerNotificationDevice, { body: newDevice() }),
    },
  },
]
