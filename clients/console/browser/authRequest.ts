/** Sends requests to the server and returns problems in the page's language. */

import { format, formatDelay } from '../../../spec/messages/format.ts'
import type { PageMessages } from '../../../spec/messages/messages.ts'
import { type ProblemName, problemOf } from '../../../spec/messages/problems.ts'

export interface AuthProblem {
  readonly name: ProblemName
  readonly text: string
  /** The field of the form, if the server sent one. */
  readonly field?: string | undefined
}

export type AuthResult =
  | { readonly problem?: undefined; readonly body: Readonly<Record<string, unknown>> }
  | { readonly problem: AuthProblem }

export interface ProblemTexts {
  readonly locale: string
  readonly problems: PageMessages['problems']
}

/** The server responds sooner, even with an error. */
const timeoutMs = 30_000

export async function postAuthRequest(
  path: string,
  body: unknown,
  { locale, problems }: ProblemTexts,
): Promise<AuthResult> {
  const createProblem = (
    name: ProblemName,
    values: Readonly<Record<string, string>> = {},
    field?: string,
  ): AuthResult => ({
    problem: { name, text: format(problems[name], values), field },
  })
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => undefined)
  if (response === undefined) return createProblem('disconnected')
  const responseBody = await readJson(response)
  if (response.ok && responseBody !== undefined) return { body: responseBody }
  const error = readObject(responseBody, 'error') ?? {}
  const code = [error.reason, error.code].find((one) => typeof one === 'string')
  const field = typeof error.field === 'string' ? error.field : undefined
  // A proxy may send a date, which is ignored.
  const seconds = Number(response.headers.get('retry-after')) || 5
  const name = findFieldProblem(error.code, field) ?? (typeof code === 'string' ? problemOf(code) : undefined)
  return createProblem(
    name ?? 'unknown',
    { when: formatDelay(seconds, locale), requestId: response.headers.get('x-request-id') ?? '' },
    field,
  )
}

/** Fields for which the server is stricter than the page. */
const fieldProblems: Readonly<Record<string, ProblemName>> = {
  name: 'nameMissing',
  email: 'emailInvalid',
  password: 'passwordGuessable',
}

function findFieldProblem(code: unknown, field: string | undefined): ProblemName | undefined {
  return code === 'BAD_USER_INPUT' && field !== undefined ? fieldProblems[field] : undefined
}

/** A proxy between may respond with another format. */
async function readJson(response: Response): Promise<Readonly<Record<string, unknown>> | undefined> {
  const value: unknown = await response.json().catch(() => undefined)
  return typeof value === 'object' && value !== null ? { ...value } : undefined
}

function readObject(
  value: Readonly<Record<string, unknown>> | undefined,
  key: string,
): Record<string, unknown> | undefined {
  const found = value?.[key]
  return typeof found === 'object' && found !== null ? { ...found } : undefined
}
