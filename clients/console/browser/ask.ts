/** Sends requests to the server and returns refusals in the page's language. */

import { format, formatDelay } from '../../../spec/messages/format.ts'
import type { PageMessages } from '../../../spec/messages/messages.ts'
import { type ProblemName, problemOf } from '../../../spec/messages/problems.ts'

export interface Refused {
  readonly name: ProblemName
  readonly text: string
  /** The field of the form, if the server sent one. */
  readonly field?: string | undefined
}

export type Answered =
  | { readonly refused?: undefined; readonly body: Readonly<Record<string, unknown>> }
  | { readonly refused: Refused }

export interface Speech {
  readonly locale: string
  readonly problems: PageMessages['problems']
}

/** The server responds sooner, even with an error. */
const longestMs = 30_000

export async function ask(path: string, body: unknown, { locale, problems }: Speech): Promise<Answered> {
  const refused = (name: ProblemName, values: Readonly<Record<string, string>> = {}, field?: string): Answered => ({
    refused: { name, text: format(problems[name], values), field },
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
  // A proxy may send a date, which is ignored.
  const seconds = Number(response.headers.get('retry-after')) || 5
  const name = fieldProblem(error.code, field) ?? (typeof named === 'string' ? problemOf(named) : undefined)
  return refused(
    name ?? 'unknown',
    { when: formatDelay(seconds, locale), requestId: response.headers.get('x-request-id') ?? '' },
    field,
  )
}

/** Fields for which the server is stricter than the page. */
const stricter: Readonly<Record<string, ProblemName>> = {
  name: 'nameMissing',
  email: 'emailInvalid',
  password: 'passwordGuessable',
}

function fieldProblem(code: unknown, field: string | undefined): ProblemName | undefined {
  return code === 'BAD_USER_INPUT' && field !== undefined ? stricter[field] : undefined
}

/** A proxy between may respond with another format. */
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
