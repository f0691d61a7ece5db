/** The words for what the server answers: by its reason where it has one, else by its code; both as a URL or an answer names them. */
import type { ProblemName } from './words.ts'

const problems: Readonly<Record<string, ProblemName>> = {
  access_denied: 'accessDenied',
  provider_failed: 'providerFailed',
  provider_unavailable: 'providerUnavailable',
  email_missing: 'providerEmailMissing',
  account_exists: 'accountExists',
  account_disabled: 'accountDisabled',
  flow_unknown: 'flowUnknown',
  flow_expired: 'flowExpired',
  unauthenticated: 'wrongPassword',
  conflict: 'emailTaken',
  registration_closed: 'registrationClosed',
  auth_mode_disabled: 'wayTurnedOff',
  rate_limited: 'rateLimited',
  invalid_origin: 'invalidOrigin',
  unavailable: 'unavailable',
}

/** @returns undefined for what no page has words for */
export function problemOf(code: string): ProblemName | undefined {
  const name = code.toLowerCase()
  return Object.hasOwn(problems, name) ? problems[name] : undefined
}
