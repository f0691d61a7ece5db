import { Failure } from '../../../../spec/core/failure.ts'
import type { Principal } from '../../../../spec/core/principal.ts'
import { sha256Hex } from '../../../auth/tokens.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { ask } from '../../accounts/ask.ts'
import type { DeviceEnrollmentServices } from './services.ts'

export interface AnswerCall {
  readonly request: HttpRequest
  readonly principal: Principal
  readonly services: DeviceEnrollmentServices
}

/**
 * Finds or creates the device with this UDID. A new one is EXPECTED, and has only the hash of the UDID until its enrollment sends its data. So the
 * enrollment can notify the device, and a UDID has one device even with concurrent answers.
 * @param enrolledId the device that this enrollment has enrolled already. If it is not null, no device is created, and the result is undefined
 * if none has the UDID
 */
export async function findOrCreateDevice(
  udid: string,
  call: AnswerCall,
  enrolledId: string | null,
): Promise<string | undefined> {
  const { request, services } = call
  const { views, ids } = services.options
  const udidHash = sha256Hex(udid.toUpperCase())
  const known = await views.findByKey('device', udidHash)
  if (known) return known.id
  if (enrolledId !== null) return undefined
  const id = ids.next('device')
  const create = { udidHash, createdAt: request.receivedAt }
  try {
    await ask(call, { to: { kind: 'device', id }, event: { type: 'create' }, create })
    return id
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'CONFLICT') throw error
    // Another answer was faster.
    const first = await views.findByKey('device', udidHash)
    if (first === undefined) throw error
    return first.id
  }
}
