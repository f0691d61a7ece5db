/** Asks the server, and says in the page's language what it refused. */

import { filled } from '../words/filled.ts'
import { problemOf } from '../words/problemOf.ts'
import { when } from '../words/when.ts'
import type { ProblemName, Words } from '../words/words.ts'

export interface Refused {
  readonly name: ProblemName
  readonly words: string
  /** Of the form, where the server named one. */
  readonly field?: string | undefined
}

export type Answered =
  | { readonly refused?: undefined; readonly body: Readonly<Record<string, unknown>> }
  | { readonly refused: Refused }

export interface Speech {
  readonly locale: string
  readonly problems: Words['problems']
}

/** The server answers sooner, if only that it can't. */
const longestMs = 30_000

export async function ask(path: string, body: unknown, { locale, problems }: Speech): Promise<Answered> {
  const refused = (name: ProblemName, values: Readonly<Record<string, string>> = {}, field?: string): Answered => ({
    refused: { name, words: filled(problems[name], values), field },
  })
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(longestMs),
  }).catch(() => undefined)
  if (response === undefined) return refused('disconnected')
  const answer = await json(response)
  if (response.ok && answer !== undefined) return { body: answer }
  const error = objectAt(answer, 'error') ?? {}
  const named = [error.reason, error.code].find((one) => typeof one === 'string')
  const field = typeof error.field === 'string' ? error.field : undefined
  // A proxy may write a date, which is as good as nothing here.
  const seconds = Number(response.headers.get('retry-after')) || 5
  const name = fieldProblem(error.code, field) ?? (typeof named === 'string' ? problemOf(named) : undefined)
  return refused(
    name ?? 'unknown',
    { when: when(seconds, locale), requestId: response.headers.get('x-request-id') ?? '' },
    field,
  )
}

/** Where the server is stricter about a field than the page. */
const stricter: Readonly<Record<string, ProblemName>> = {
  name: 'nameMissing',
  email: 'emailInvalid',
  password: 'passwordGuessable',
}

function fieldProblem(code: unknown, field: string | undefined): ProblemName | undefined {
  return code === 'BAD_USER_INPUT' && field !== undefined ? stricter[field] : undefined
}

/** A proxy in between may answer with something else. */
async function json(response: Response): Promise<Readonly<Record<string, unknown>> | undefined> {
  const value: unknown = await response.json().catch(() => undefined)
  return typeof value === 'object' && value !== null ? { ...value } : undefined
}

function objectAt(
  value: Readonly<Record<string, unknown>> | undefined,
  key: string,
): Record<string, unknown> | undefined {
  const found = value?.[key]
  return typeof found === 'object' && found !== null ? { ...found } : undefined
}
