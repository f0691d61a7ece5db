/**
 * Processes the answer of a device to its profile. Before the challenge is verified nothing changes, because otherwise anyone with
 * an enrollment's ID could end the enrollment. After that any error ends the enrollment, and a valid answer enrolls the device.
 */
import type { X509Certificate } from 'node:crypto'
import { Failure } from '../../../../spec/core/failure.ts'
import { deviceEnrollmentRoutes } from '../../../../spec/devices/deviceEnrollmentRoutes.ts'
import { isSameText } from '../../../secrets/sameText.ts'
import { ask } from '../../accounts/ask.ts'
import { serve } from '../../restHandler.ts'
import { type DeviceAttributes, readAttributes } from './attributes.ts'
import { decryptChallenge, enrollmentEnded, enrollmentPath, explainRefusal, requireEnrollment } from './enrollment.ts'
import { type AnswerCall, findOrCreateDevice } from './findOrCreateDevice.ts'
import { isIssuedBy } from './isIssuedBy.ts'
import { readPlist } from './readPlist.ts'
import type { DeviceEnrollmentServices } from './services.ts'
import { readSignedMessage, type SignedMessage } from './signedMessage.ts'

export const answerRoute = (services: DeviceEnrollmentServices) =>
  serve(deviceEnrollmentRoutes.answerDeviceEnrollment, async ({ request, principal, params: { id } }) => {
    const call: AnswerCall = { request, principal, services }
    const row = await requireEnrollment(id, services)
    const { status } = row.columns
    if (status === 'EXPIRED') throw enrollmentEnded(status)
    const message = readSignedMessage(await request.body.read(services.answerBytes))
    if (message === undefined) throw invalidBody('not a signed CMS message of a device that contains its content')
    const plist = readPlist(message.content)
    if (plist === undefined) throw invalidBody('not a signed property list of plain values')
    if (!isSameText(plist.get('CHALLENGE') ?? '', decryptChallenge(row, services)))
      throw new Failure('UNAUTHENTICATED', 'The challenge does not belong to this enrollment.')

    const attributes = readAttributes(plist)
    const problem = await checkSignature(message, services.authorities)
    if (problem !== undefined) throw await rejectDevice(id, problem, call, 'UNAUTHENTICATED')
    if (attributes === undefined) throw await rejectDevice(id, 'the UDID is missing, or not one of Apple’s', call)

    // Checked before a device is created in vain.
    if (status === 'REJECTED') throw enrollmentEnded(status)
    const { deviceId: before } = row.context
    const deviceId = await findOrCreateDevice(attributes.udid, call, before)
    if (deviceId === undefined) throw enrollmentEnded(status)
    await completeEnrollment(id, deviceId, attributes, call)
    const { origin } = row.init
    return { status: 301, headers: { location: `${origin}${enrollmentPath(id)}/done` } }
  })

async function completeEnrollment(
  id: string,
  deviceId: string,
  attributes: DeviceAttributes,
  call: AnswerCall,
): Promise<void> {
  const { udid, serial, product, osVersion, ownName } = attributes
  const event = {
    type: 'answer',
    deviceId,
    identifiers: { udid, serial },
    model: { product, osVersion },
    ownName,
  }
  await explainRefusal(ask(call, { to: { kind: 'deviceEnrollment', id }, event }))
}

/** @param authorities without them only the signature is verified, and the challenge identifies the device */
async function checkSignature(
  message: SignedMessage,
  authorities: readonly X509Certificate[] | undefined,
): Promise<string | undefined> {
  const signer = await message.signer()
  if (signer === undefined) return 'the signature is wrong'
  if (authorities === undefined || isIssuedBy(signer, authorities, message.certificates)) return undefined
  return 'the device’s certificate is not from an authority of DEVICE_CA_CERTS'
}

/** The challenge is used up. */
async function rejectDevice(
  id: string,
  problem: string,
  call: AnswerCall,
  code: 'UNAUTHENTICATED' | 'BAD_USER_INPUT' = 'BAD_USER_INPUT',
): Promise<Failure> {
  await explainRefusal(ask(call, { to: { kind: 'deviceEnrollment', id }, event: { type: 'reject', problem } }))
  const { request, services } = call
  services.options.log.warn(
    { requestId: request.requestId, deviceEnrollment: id, problem },
    'device enrollment rejected',
  )
  const message = `The device was rejected: ${problem}. Begin another enrollment.`
  return new Failure(code, message, code === 'BAD_USER_INPUT' ? { details: { field: 'body', problem } } : {})
}

function invalidBody(problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `The body is ${problem}.`, { details: { field: 'body', problem } })
}
