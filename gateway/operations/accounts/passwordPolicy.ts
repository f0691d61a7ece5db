/**
 * Refuses new passwords that are easy to guess: the common ones, and those that consist mostly of the user's name, email address or
 * words of this site. The length is the only other rule. Source: OWASP ASVS 5.0, 6.2.4 and 6.2.11.
 */
import { Failure } from '../../../spec/core/failure.ts'

export interface PasswordOwner {
  readonly email?: string | undefined
  readonly name?: string | undefined
}

/** Words of this site. The words of the account are added. */
const siteWords = ['signalbox', 'password', 'passwort']
/** The least length of a password, and of the rest of a password without such words. */
const shortest = 8
/** Shorter words are ignored: many good passwords contain them. */
const shortestWord = 4

/** @param field the name of the input field, for the failure @throws Failure BAD_USER_INPUT */
export async function checkNewPassword(password: string, field: string, owner: PasswordOwner): Promise<void> {
  const lower = password.toLowerCase()
  if ((await loadCommonPasswords()).has(lower))
    throw invalidPassword(field, 'is one of the most common passwords: choose another')
  const rest = collectWords(owner).reduce((left, word) => left.replaceAll(word, ''), lower)
  if ([...rest].length < shortest)
    throw invalidPassword(
      field,
      'consists mostly of your name, your email address, “signalbox” or “password”: choose another',
    )
}

function collectWords({ email = '', name = '' }: PasswordOwner): readonly string[] {
  const words = [...siteWords, ...`${email} ${name}`.toLowerCase().split(/[^\p{L}\p{N}]+/u)]
  // The longest first. If a part of a word were removed first, the rest of the word would remain and count.
  return words.filter((word) => [...word].length >= shortestWord).sort((a, b) => b.length - a.length)
}

function invalidPassword(field: string, problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${problem}`, { details: { field, problem } })
}

let cachedPasswords: Promise<ReadonlySet<string>> | undefined

/** About 18,000 passwords in lower case. They are loaded at the first use. */
function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  cachedPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter(({ length }) => length >= shortest)),
  )
  return cachedPasswords
}
