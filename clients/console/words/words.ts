/** All texts of the pages. The page replaces names in braces by values. */
export interface Words {
  /** The language's own name. */
  readonly language: string
  readonly languages: string
  readonly tagline: string
  readonly signIn: {
    readonly title: string
    readonly lead: string
    readonly submit: string
    readonly busy: string
    readonly toRegister: string
    readonly closed: string
  }
  readonly register: {
    readonly title: string
    readonly firstTitle: string
    readonly lead: string
    readonly firstLead: string
    readonly submit: string
    readonly busy: string
    readonly toSignIn: string
    readonly closedTitle: string
    readonly closedLead: string
  }
  readonly provider: { readonly signIn: string; readonly register: string; readonly busy: string; readonly or: string }
  readonly fields: {
    readonly name: string
    readonly email: string
    readonly password: string
    readonly newPassword: string
    readonly passwordRule: string
    readonly show: string
    readonly hide: string
  }
  /** The problem, and what to do about it. */
  readonly problems: Readonly<Record<ProblemName, string>>
  /** Titles of the pages that show only a problem. */
  readonly problemPages: Readonly<Record<'notFound' | 'notNow' | 'failed', string>>
  readonly toHome: string
  readonly noScript: string
  readonly requestId: string
}

export const problemNames = [
  'wrongPassword',
  'emailTaken',
  'registrationClosed',
  'wayTurnedOff',
  'rateLimited',
  'invalidOrigin',
  'unavailable',
  'disconnected',
  'unknown',
  'nameMissing',
  'emailMissing',
  'emailInvalid',
  'passwordMissing',
  'passwordLength',
  'passwordGuessable',
  'accessDenied',
  'signInFailed',
  'providerFailed',
  'providerUnavailable',
  'providerEmailMissing',
  'accountExists',
  'accountDisabled',
  'flowUnknown',
  'flowExpired',
  'notFound',
  'notNow',
] as const

export type ProblemName = (typeof problemNames)[number]
