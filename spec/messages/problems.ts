/** The problems for which the pages have a text. */
export type ProblemName =
  | 'wrongPassword'
  | 'emailTaken'
  | 'registrationClosed'
  | 'wayTurnedOff'
  | 'rateLimited'
  | 'invalidOrigin'
  | 'unavailable'
  | 'disconnected'
  | 'unknown'
  | 'nameMissing'
  | 'emailMissing'
  | 'emailInvalid'
  | 'passwordMissing'
  | 'passwordLength'
  | 'passwordGuessable'
  | 'accessDenied'
  | 'signInFailed'
  | 'providerFailed'
  | 'providerUnavailable'
  | 'providerEmailMissing'
  | 'accountExists'
  | 'accountDisabled'
  | 'flowUnknown'
  | 'flowExpired'
  | 'notFound'
  | 'notNow'
  | 'linkInvalid'

/** By the reason of a problem, or by its code. */
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
  link_invalid: 'linkInvalid',
}

/**
 * Finds the name of a problem. Reason and code may have the form of a URL or of a response.
 * @returns undefined if no page has a text for the code
 */
export function problemOf(code: string): ProblemName | undefined {
  const name = code.toLowerCase()
  return Object.hasOwn(problems, name) ? problems[name] : undefined
}
