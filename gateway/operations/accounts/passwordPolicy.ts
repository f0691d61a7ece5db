/**
 * Which new passwords are refused because they would be guessed first: the common ones, and those that are little more than
 * what stands beside them. Nothing else is asked of a password but its length. Source: OWASP ASVS 5.0, 6.2.4 and 6.2.11.
 */
import { Failure } from '../../../spec/core/failure.ts'

export interface Whose {
  readonly email?: string | undefined
  readonly name?: string | undefined
}

/** The words that anybody would try here. Those of the account come beside them. */
const ownWords = ['signalbox', 'password', 'passwort']
/** What is left of a password without such words must be as long as a password. */
const shortest = 8
/** A shorter word stands in many a good password. */
const shortestWord = 4

/** @param field as the caller named it @throws Failure BAD_USER_INPUT */
export async function checkNewPassword(password: string, field: string, whose: Whose): Promise<void> {
  const lower = password.toLowerCase()
  if ((await commonPasswords()).has(lower)) throw refused(field, 'is one of the most common passwords: choose another')
  const rest = wordsOf(whose).reduce((left, word) => left.replaceAll(word, ''), lower)
  if ([...rest].length < shortest)
    throw refused(field, 'is almost the same as your name, your email address or a word of this site: choose another')
}

function wordsOf({ email = '', name = '' }: Whose): readonly string[] {
  const words = [...ownWords, ...`${email} ${name}`.toLowerCase().split(/[^\p{L}\p{N}]+/u)]
  // The longest first, or what is left of it would count as the caller's own.
  return words.filter((word) => [...word].length >= shortestWord).sort((a, b) => b.length - a.length)
}

function refused(field: string, problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${problem}`, { details: { field, problem } })
}

let common: Promise<ReadonlySet<string>> | undefined

/** About 18,000, in small letters; read when they are first asked for. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter(({ length }) => length >= shortest)),
  )
  return common
}
