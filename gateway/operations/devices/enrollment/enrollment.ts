/** What the routes without a credential do alike: find the enrolment, open its challenge, and say how it stands. */
import { timingSafeEqual } from 'node:crypto'
import { isRowOfKind, type TypedRow } from '../../../../machines/rows.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { sha256Hex } from '../../../auth/tokens.ts'
import { notFound } from '../../core/rows.ts'
import type { DeviceEnrollmentServices } from './services.ts'

export function pathOf(id: string): string {
  return `/api/public/device-enrollments/${id}`
}

/** @throws Failure NOT_FOUND */
export async function enrollmentOf(
  id: string,
  { options }: DeviceEnrollmentServices,
): Promise<TypedRow<'deviceEnrollment'>> {
  const row = await options.system.peek({ kind: 'deviceEnrollment', id })
  if (row === undefined || !isRowOfKind('deviceEnrollment', row)) throw notFound('deviceEnrollment', id)
  return row
}

/** @throws Failure FAILED_PRECONDITION where `APP_SECRET` has changed and is not known any more */
export function challengeOf(row: TypedRow<'deviceEnrollment'>, { options }: DeviceEnrollmentServices): string {
  const { challenge, origin } = row.init
  const opened = options.sealings.deviceChallenge.open(challenge, { owner: row.id, origin })
  if (opened.type === 'opened') return opened.secret
  throw new Failure('FAILED_PRECONDITION', 'The server’s secret has changed. Begin another enrolment.', {
    details: { state: row.columns.status },
  })
}

const reasons: Readonly<Record<string, string>> = {
  ENROLLED: 'A device has enrolled by this link already. Begin another enrolment.',
  REJECTED: 'What came by this link was rejected. Begin another enrolment.',
  EXPIRED: 'This link has expired. Begin another enrolment.',
  STARTED: 'No device has enrolled by this link yet.',
  PROFILE_SENT: 'No device has enrolled by this link yet.',
}

/** That the enrolment is not where the request would be right. */
export function over(state: string): Failure {
  return new Failure('FAILED_PRECONDITION', reasons[state] ?? `The enrolment is ${state}.`, { details: { state } })
}

/** What the enrolment's actor refuses, in words for who has the link. */
export async function orOver<T>(asked: Promise<T>): Promise<T> {
  return await asked.catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'FAILED_PRECONDITION') throw error
    throw over(String(error.details?.state))
  })
}

/** In a time that says nothing of where they differ. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(a)), Buffer.from(sha256Hex(b)))
}
