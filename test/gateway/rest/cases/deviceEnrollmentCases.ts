import type { System } from '../../../../gateway/messages.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { deviceEnrollmentRoutes } from '../../../../spec/devices/deviceEnrollmentRoutes.ts'
import type { RestRoute } from '../../../../spec/rest/restRoute.ts'
import { type Identity, identity } from '../../../kit/program/certificates.ts'
import { type Attributes, answerText, anyPhone, fetchProfile, signedBy } from '../../../kit/program/phone.ts'
import { startTestGateway } from '../../../kit/runtime/testGateway.ts'
import { bearer, call, type Heard, type Sent, slowBody } from './call.ts'
import { somebody, with_ } from './callers.ts'
import type { Cases, Lead } from './caseForm.ts'
import type { TroubledGateways } from './troubledGateways.ts'

const { startDeviceEnrollment, getDeviceProfile, answerDeviceEnrollment, showDeviceEnrolled, exportDevices } =
  deviceEnrollmentRoutes

interface Begun {
  readonly params: { readonly id: string }
  readonly query: string
  readonly link: string
}

async function begun(stage: TroubledGateways): Promise<Begun> {
  const { body } = await stage.call(startDeviceEnrollment, await with_(stage, { body: {} }))
  const { id, profileUrl } = body as { id: string; profileUrl: string }
  return { params: { id }, query: new URL(profileUrl).search, link: profileUrl }
}

let signer: Promise<Identity> | undefined
const aSigner = () => {
  signer ??= identity({ name: 'iPhone' })
  return signer
}

interface Answering extends Begun {
  readonly body: Uint8Array
}

async function answering(stage: TroubledGateways, change: (attributes: Attributes) => Attributes = (same) => same) {
  const enrollment = await begun(stage)
  const { challenge } = await fetchProfile(enrollment.link)
  const body = await signedBy(await aSigner(), answerText(change(anyPhone()), challenge))
  return { ...enrollment, body } satisfies Answering
}

async function enrolled(stage: TroubledGateways): Promise<Answering> {
  const sent = await answering(stage)
  await stage.call(answerDeviceEnrollment, sent)
  return sent
}

const withoutBody = ({ body: _, ...rest }: Answering): Sent => rest

const ofNone = (stage: TroubledGateways): Sent => ({
  params: { id: stage.world.newId('deviceEnrollment') },
  query: '?token=t',
})

const busy = new Proxy({} as System, {
  get: () => () => Promise.reject(new Failure('UNAVAILABLE', 'Too many messages wait.', { retryAfterMs: 1_000 })),
})

/** A server whose actors accept no messages. */
const whereActorsAreBusy =
  (route: RestRoute, right: (stage: TroubledGateways) => Promise<Sent>): Lead =>
  async (stage): Promise<Heard> => {
    const world = await startTestGateway({ options: { system: busy } })
    try {
      return await call(world.url, route, await right(stage))
    } finally {
      await world.stop()
    }
  }

const unsignedInProduction: Lead = async () => {
  const world = await startTestGateway({ settings: { production: true } })
  try {
    return await call(world.url, startDeviceEnrollment, { body: {}, headers: bearer((await world.signIn()).token) })
  } finally {
    await world.stop()
  }
}

const whereBodiesMustHurry: Lead = async () => {
  const world = await startTestGateway({ settings: { limits: { bodyMs: 150 } } })
  try {
    const headers = bearer((await world.signIn()).token)
    const { body } = await call(world.url, startDeviceEnrollment, { body: {}, headers })
    const { id } = body as { readonly id: string }
    return await slowBody(world.gateway.port, answerDeviceEnrollment, { params: { id } })
  } finally {
    await world.stop()
  }
}

export const deviceEnrollmentCases: readonly Cases[] = [
  {
    route: startDeviceEnrollment,
    right: async (stage) => await with_(stage, { body: { displayName: 'Ada’s iPhone' } }),
    own: {
      '201 repeated': async (stage) => {
        const headers = { ...(await somebody(stage)).headers, 'idempotency-key': 'one' }
        await stage.call(startDeviceEnrollment, { body: {}, headers })
        return { body: {}, headers }
      },
      '409 CONFLICT': async (stage) => {
        const headers = { ...(await somebody(stage)).headers, 'idempotency-key': 'one' }
        await stage.call(startDeviceEnrollment, { body: { displayName: 'a' }, headers })
        return { body: { displayName: 'b' }, headers }
      },
      '409 FAILED_PRECONDITION': unsignedInProduction,
      '400 BAD_USER_INPUT for a name of two lines': async (stage) =>
        await with_(stage, { body: { displayName: 'a\nb' } }),
    },
  },
  {
    route: getDeviceProfile,
    right: begun,
    own: {
      '400 BAD_USER_INPUT': async (stage) => ({ ...(await begun(stage)), query: '' }),
      '401 UNAUTHENTICATED': async (stage) => ({ ...(await begun(stage)), query: '?token=t' }),
      '404 NOT_FOUND': async (stage) => ofNone(stage),
      '409 FAILED_PRECONDITION': async (stage) => withoutBody(await enrolled(stage)),
      '503 UNAVAILABLE': whereActorsAreBusy(getDeviceProfile, begun),
    },
  },
  {
    route: answerDeviceEnrollment,
    right: answering,
    own: {
      '301 for a repeat': enrolled,
      '400 BAD_USER_INPUT without a UDID': (stage) => answering(stage, ({ UDID: _, ...rest }) => rest),
      '401 UNAUTHENTICATED': async (stage) => {
        const { params } = await answering(stage)
        return { params, body: await signedBy(await aSigner(), answerText(anyPhone(), 'a guess')) }
      },
      '404 NOT_FOUND': async (stage) => ({ ...(await answering(stage)), ...ofNone(stage), query: '' }),
      '409 FAILED_PRECONDITION': async (stage) => {
        const { params, link } = await begun(stage)
        const { challenge } = await fetchProfile(link)
        const answer = async () => await signedBy(await aSigner(), answerText(anyPhone(), challenge))
        await stage.call(answerDeviceEnrollment, { params, body: await answer() })
        return { params, body: await answer() }
      },
      '408 BAD_USER_INPUT': whereBodiesMustHurry,
      '503 UNAVAILABLE': whereActorsAreBusy(answerDeviceEnrollment, answering),
    },
  },
  {
    route: showDeviceEnrolled,
    right: async (stage) => withoutBody(await enrolled(stage)),
    own: {
      '400 BAD_USER_INPUT': async () => ({ params: { id: 'den_1' } }),
      '404 NOT_FOUND': async (stage) => ofNone(stage),
      '409 FAILED_PRECONDITION': begun,
      '503 UNAVAILABLE': whereActorsAreBusy(showDeviceEnrolled, begun),
    },
  },
  {
    route: exportDevices,
    right: async (stage) => {
      await enrolled(stage)
      return await somebody(stage)
    },
  },
]
