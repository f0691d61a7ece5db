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
 * The device with this UDID, made where there is none: then it is expected, and has no more than the UDID's hash until its enrolment
 * tells it the rest. So there is somebody to tell, and one for each UDID, however many answers come at once.
 * @param expected who has enrolled already: then no other is made, and undefined comes back where there is none
 */
export async function deviceWith(udid: string, call: AnswerCall, expected: string | null): Promise<string | undefined> {
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
    // Another answer was first.
    const first = await views.findByKey('device', udidHash)
    if (first === undefined) throw error
    return first.id
  }
}
