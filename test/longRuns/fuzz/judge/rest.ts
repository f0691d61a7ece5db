/** Checks a REST answer against its declaration: status, code, body. */
import * as v from 'valibot'
import { isAccountPath, refusalsOf } from '../../../../spec/rest/refusals.ts'
import type { RestRoute } from '../../../../spec/rest/restRoute.ts'
import type { Heard } from '../http.ts'
import type { Planned } from '../make/planned.ts'
import type { Circumstances, Judged } from './judge.ts'

export function judgeRest(planned: Planned, heard: Heard, body: unknown, { outage }: Circumstances): Judged {
  const { target, allowed, intent, sent } = planned
  if (target.surface !== 'rest') throw new Error('The target is not a REST route.')
  const { route } = target
  const problems: string[] = []
  const { status } = heard
  const code = codeOf(body)
  const codes = code === undefined ? [] : [code]
  const asDeclared = intent !== 'strange' && sent.method === route.method
  if (status >= 400) problems.push(...refusalProblems(route, status, code, body, planned))
  else if (asDeclared) {
    if (!allowed && !countsAsNobody(planned, route)) problems.push(`answered ${status} to a caller without access`)
    problems.push(...answerProblems(route, status, body))
  }
  if (asDeclared && allowed && intent === 'right' && planned.how === undefined && !outage)
    problems.push(...unjust(route, code, body))
  return { problems, codes, succeeded: status < 400 && asDeclared && allowed }
}

/** On sign-in routes an invalid cookie counts as no credential. */
function countsAsNobody({ caller }: Planned, { path, access }: RestRoute): boolean {
  return caller.headers.cookie !== undefined && isAccountPath(path) && access === 'visitors'
}

function codeOf(body: unknown): string | undefined {
  const code = (body as { readonly error?: { readonly code?: unknown } } | null | undefined)?.error?.code
  return typeof code === 'string' ? code : undefined
}

function answerProblems({ answers }: RestRoute, status: number, body: unknown): string[] {
  const declared = answers[status]
  if (declared === undefined) return [`${status} is not declared`]
  if (declared.body === undefined) return []
  const result = v.safeParse(declared.body, body)
  if (!result.success) {
    const [issue] = result.issues
    return [`the answer is not as declared: ${v.getDotPath(issue) ?? 'body'}: ${issue.message}`]
  }
  const extra = undeclared(body, result.output)
  return extra === undefined ? [] : [`the answer has ${extra}, which is not declared`]
}

/** The first field that is not part of the declaration. */
function undeclared(given: unknown, read: unknown, path = ''): string | undefined {
  if (given === null || typeof given !== 'object' || read === null || typeof read !== 'object') return undefined
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(read, name)) return path + name
    const below = undeclared(value, (read as Record<string, unknown>)[name], `${path + name}.`)
    if (below !== undefined) return below
  }
  return undefined
}

/** Refusals of a request whose form is not the declared one: unknown method, unknown path, another host. */
const ofOtherForm: ReadonlySet<string> = new Set([
  '400 BAD_USER_INPUT',
  '405 BAD_USER_INPUT',
  '404 NOT_FOUND',
  '403 FORBIDDEN',
  '403 INVALID_ORIGIN',
  '415 BAD_USER_INPUT',
  '413 PAYLOAD_TOO_LARGE',
  '401 UNAUTHENTICATED',
])

function refusalProblems(
  route: RestRoute,
  status: number,
  code: string | undefined,
  body: unknown,
  { intent, requestId, sent, how }: Planned,
): string[] {
  if (sent.method === 'HEAD') return []
  if (code === undefined) return [`${status} without a code`]
  const error = (body as { readonly error: Readonly<Record<string, unknown>> }).error
  const problems: string[] = []
  if (typeof error.message !== 'string' || error.message === '') problems.push('a refusal without a message')
  if (error.requestId !== requestId) problems.push('a refusal without its requestId')
  const documented = refusalsOf(route).some((one) => one.status === status && one.code === code)
  // A parameter with a slash, or an empty one, makes another path.
  const otherForm = intent === 'strange' || (how !== undefined && route.params !== undefined)
  if (
    !documented &&
    !(otherForm && ofOtherForm.has(`${status} ${code}`)) &&
    !(status === 503 && code === 'UNAVAILABLE')
  )
    problems.push(`${status} ${code} is not documented`)
  return problems
}

/** A valid request of a caller with access can be refused only by the handler, and not by a check of form or caller. */
function unjust(route: Pick<RestRoute, 'access'>, code: string | undefined, body: unknown): string[] {
  // The handler refuses objects of other runs, uploads of other agents, and links whose signature is wrong.
  if (code === 'FORBIDDEN' && ['ownRuns', 'agents', 'public'].includes(route.access)) return []
  if (code === 'FORBIDDEN' || code === 'INVALID_ORIGIN') return [`${code} to a caller with access`]
  const { error } = (body ?? {}) as { readonly error?: Readonly<Record<string, unknown>> }
  if (code === 'BAD_USER_INPUT' && typeof error?.problem === 'string')
    return [`valid input was refused: ${String(error.message)}`]
  return []
}
