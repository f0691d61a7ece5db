/** The common parts of the routes without a credential: they find the enrollment, decrypt its challenge, and describe its status. */
import { isRowOfKind, type TypedRow } from '../../../../machines/rows.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { notFound } from '../../core/rows.ts'
import type { DeviceEnrollmentServices } from './services.ts'

export function enrollmentPath(id: string): string {
  return `/api/public/device-enrollments/${id}`
}

/** @throws Failure NOT_FOUND */
export async function requireEnrollment(
  id: string,
  { options }: DeviceEnrollmentServices,
): Promise<TypedRow<'deviceEnrollment'>> {
  const row = await options.system.peek({ kind: 'deviceEnrollment', id })
  if (row === undefined || !isRowOfKind('deviceEnrollment', row)) throw notFound('deviceEnrollment', id)
  return row
}

/** @throws Failure FAILED_PRECONDITION if the former `APP_SECRET` is no longer configured */
export function decryptChallenge(row: TypedRow<'deviceEnrollment'>, { options }: DeviceEnrollmentServices): string {
  const { challenge, origin } = row.init
  const opened = options.sealings.deviceChallenge.open(challenge, { owner: row.id, origin })
  if (opened.type === 'opened') return opened.secret
  throw new Failure('FAILED_PRECONDITION', 'The server’s secret has changed. Begin another enrollment.', {
    details: { state: row.columns.status },
  })
}

const reasons: Readonly<Record<string, string>> = {
  ENROLLED: 'A device has already enrolled with this link. Begin another enrollment.',
  REJECTED: 'The answer of a device to this link was rejected. Begin another enrollment.',
  EXPIRED: 'The link has expired. Begin another enrollment.',
  STARTED: 'No device has enrolled with this link yet.',
  PROFILE_SENT: 'No device has enrolled with this link yet.',
}

/** The failure of a request that the status of the enrollment does not allow. */
export function enrollmentEnded(state: string): Failure {
  return new Failure('FAILED_PRECONDITION', reasons[state] ?? `The enrollment is ${state}.`, { details: { state } })
}

/** Translates a refusal of the enrollment's actor to a message for the holder of the link. */
export async function explainRefusal<T>(asked: Promise<T>): Promise<T> {
  return await asked.catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'FAILED_PRECONDITION') throw error
    throw enrollmentEnded(String(error.details?.state))
  })
}
