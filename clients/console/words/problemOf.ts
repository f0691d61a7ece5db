/** Finds the text for a problem: by its reason if it has one, otherwise by its code. Both have the form of a URL or a response. */
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

/** @returns undefined if no page has a text for the code */
export function problemOf(code: string): ProblemName | undefined {
  const name = code.toLowerCase()
  return Object.hasOwn(problems, name) ? problems[name] : undefined
}
