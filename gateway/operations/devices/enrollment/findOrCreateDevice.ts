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
 * Finds or creates the device with this UDID. A new device is expected, and has only the hash of the UDID until its enrollment sends
 * its data. So the enrollment can notify the device, and a UDID has one device even with concurrent answers. @param expected the
 * device that has already enrolled. Then no other is created, and the result is undefined if it does not exist
 */
export async function findOrCreateDevice(
  udid: string,
  call: AnswerCall,
  expected: string | null,
): Promise<string | undefined> {
  const { request, services } = call
  const { views, ids } = services.options
  const udidHash = sha256Hex(udid.toUpperCase())
  const known = await views.findByKey('device', udidHash)
  if (known) return known.id
  if (expected !== null) return undefined
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
