/**
 * Processes the answer of a device to its profile. Before the challenge is verified nothing changes, because otherwise anyone with
 * an enrollment's ID could end the enrollment. After that any error ends the enrollment, and a valid answer enrolls the device.
 */
import type { X509Certificate } from 'node:crypto'
import { Failure } from '../../../../spec/core/failure.ts'
import { deviceEnrollmentRoutes } from '../../../../spec/devices/deviceEnrollmentRoutes.ts'
import { ask } from '../../accounts/ask.ts'
import { served } from '../../restHandler.ts'
import { type Attributes, attributesOf } from './attributes.ts'
import { type AnswerCall, deviceWith } from './deviceWith.ts'
import { challengeOf, enrollmentOf, orOver, over, pathOf, sameText } from './enrollment.ts'
import { issuedBy } from './issuedBy.ts'
import { readPlist } from './readPlist.ts'
import type { DeviceEnrollmentServices } from './services.ts'
import { readSignedMessage, type SignedMessage } from './signedMessage.ts'

export const answerRoute = (services: DeviceEnrollmentServices) =>
  served(deviceEnrollmentRoutes.answerDeviceEnrollment, async ({ request, principal, params: { id } }) => {
    const call: AnswerCall = { request, principal, services }
    const row = await enrollmentOf(id, services)
    const { status } = row.columns
    if (status === 'EXPIRED') throw over(status)
    const message = readSignedMessage(await request.body.read(services.answerBytes))
    if (message === undefined) throw bad('not a signed CMS message of a device that contains its content')
    const plist = readPlist(message.content)
    if (plist === undefined) throw bad('not a signed property list of plain values')
    if (!sameText(plist.get('CHALLENGE') ?? '', challengeOf(row, services)))
      throw new Failure('UNAUTHENTICATED', 'The challenge does not belong to this enrollment.')

    const attributes = attributesOf(plist)
    const problem = await signatureProblem(message, services.authorities)
    if (problem !== undefined) throw await rejected(id, problem, call, 'UNAUTHENTICATED')
    if (attributes === undefined) throw await rejected(id, 'the UDID is missing, or not one of Apple’s', call)

    // Checked before a device is created in vain.
    if (status === 'REJECTED') throw over(status)
    const { deviceId: before } = row.context
    const deviceId = await deviceWith(attributes.udid, call, before)
    if (deviceId === undefined) throw over(status)
    await enrolled(id, deviceId, attributes, call)
    const { origin } = row.init
    return { status: 301, headers: { location: `${origin}${pathOf(id)}/done` } }
  })

async function enrolled(id: string, deviceId: string, attributes: Attributes, call: AnswerCall): Promise<void> {
  const { udid, serial, product, osVersion, ownName } = attributes
  const event = {
    type: 'answer',
    deviceId,
    identifiers: { udid, serial },
    model: { product, osVersion },
    ownName,
  }
  await orOver(ask(call, { to: { kind: 'deviceEnrollment', id }, event }))
}

/** @param authorities without them only the signature is verified, and the challenge identifies the device */
async function signatureProblem(
  message: SignedMessage,
  authorities: readonly X509Certificate[] | undefined,
): Promise<string | undefined> {
  const signer = await message.signer()
  if (signer === undefined) return 'the signature is wrong'
  if (authorities === undefined || issuedBy(signer, authorities, message.certificates)) return undefined
  return 'the device’s certificate is not from an authority of DEVICE_CA_CERTS'
}

/** The challenge is used up. */
async function rejected(
  id: string,
  problem: string,
  call: AnswerCall,
  code: 'UNAUTHENTICATED' | 'BAD_USER_INPUT' = 'BAD_USER_INPUT',
): Promise<Failure> {
  await orOver(ask(call, { to: { kind: 'deviceEnrollment', id }, event: { type: 'reject', problem } }))
  const { request, services } = call
  services.options.log.warn(
    { requestId: request.requestId, deviceEnrollment: id, problem },
    'device enrollment rejected',
  )
  const message = `The device was rejected: ${problem}. Begin another enrollment.`
  return new Failure(code, message, code === 'BAD_USER_INPUT' ? { details: { field: 'body', problem } } : {})
}

function bad(problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `The body is ${problem}.`, { details: { field: 'body', problem } })
}
