/** Reads the identity, email address and name of a user from the provider's claims. */
import * as v from 'valibot'
import { accountKey } from '../account.ts'
import { signInFailure } from './problems.ts'

export type Claims = Readonly<Record<string, unknown>>

export interface Person {
  /** `provider|subject`. The account is found by it, also after the email address has changed. */
  readonly identity: string
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string
}

const emailAddress = v.pipe(v.string(), v.trim(), v.maxLength(320), v.email())
/** OpenID Connect permits at most 255 ASCII characters. */
const subject = v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,255}$/))

/**
 * The claims must have an email address. It need not be verified: it is only shown, and gives no access to an existing account.
 * @throws Failure
 */
export function readPerson(claims: Claims, providerId: string): Person {
  if (!v.is(subject, claims.sub)) throw signInFailure('provider_failed')
  const email = v.safeParse(emailAddress, claims.email)
  if (!email.success) throw signInFailure('email_missing')
  return {
    identity: `${providerId}|${claims.sub}`,
    email: accountKey(email.output),
    // Some providers send a string.
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: readName(claims) ?? email.output.split('@')[0] ?? email.output,
  }
}

function readName({ name, preferred_username: username }: Claims): string | undefined {
  for (const value of [name, username]) {
    if (typeof value !== 'string') continue
    const plain = value.replace(/\p{Cc}/gu, ' ').trim()
    if (plain !== '') return Array.from(plain).slice(0, 200).join('').toWellFormed()
  }
  return undefined
}
