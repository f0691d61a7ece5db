/** Interprets an answer without success: its sender, whether a repeat may succeed, and what the reader of the log can do. */
import type { HttpAnswer } from './httpRequest.ts'
import { parseRetryAfter } from './retryAfter.ts'

/** The body of a refusal of Signalbox. A proxy or an access layer sends another one, or none. */
export interface ServerError {
  readonly code: string
  readonly message: string
  readonly requestId: string | undefined
  /** The reason if indexing ended, such as `SERVER_RESTARTED`. */
  readonly problem: string | undefined
  /** The bytes that the server has. */
  readonly offset: number | undefined
}

export interface Refusal {
  readonly status: number
  /** Completes "The server …" or is a sentence. */
  readonly text: string
  readonly isTransient: boolean
  /** From `Retry-After`. */
  readonly retryAfterMs: number | undefined
  readonly error: ServerError | undefined
  /** The bytes that the server has, if it states them. */
  readonly offset: number | undefined
}

const serviceTokenHint =
  'If an access layer (for example Cloudflare Access) protects the server, create a service token and send its headers: --header "Name: value" for each, or the input "headers" of the action.'

/** Statuses after which the same request may succeed. 520 to 527 are those of Cloudflare for a server that it does not reach. */
const transientStatuses: ReadonlySet<number> = new Set([
  408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527,
])

/** @returns undefined if the answer is that of a request that succeeded */
export function findRefusal(answer: HttpAnswer, now = Date.now()): Refusal | undefined {
  const { status, headers } = answer
  const error = readServerError(answer)
  const offset = error?.offset ?? readOffset(answer)
  const final = (text: string): Refusal => ({
    status,
    text,
    isTransient: false,
    retryAfterMs: undefined,
    error,
    offset,
  })
  if (error === undefined && isChallenge(answer))
    return final(
      `A bot protection in front of the server asks for a browser (status ${status}). The request is not retried. Exempt the paths /api/dsyms/ from the protection, or the addresses of the build machines.`,
    )
  if (status >= 300 && status < 400)
    return final(
      `The request was redirected (status ${status}${describeTarget(headers.location)}), and redirects are not followed. Check the URL of the server, including http or https. ${serviceTokenHint}`,
    )
  if (status < 300) {
    if (!isHtml(answer)) return undefined
    return final(
      `A web page was received instead of an answer of Signalbox (status ${status}). Check the URL of the server. ${serviceTokenHint}`,
    )
  }
  if (status === 407)
    return final(
      'The proxy asks for a user and a password (status 407). Put them into HTTPS_PROXY or HTTP_PROXY: http://USER:PASSWORD@HOST:PORT.',
    )
  if ((status === 401 || status === 403) && error === undefined && !isEmptyJson(answer))
    return final(
      `The request was refused before it reached Signalbox (status ${status}${describeServer(answer)}). ${serviceTokenHint}`,
    )
  if (status === 401)
    return final(
      `The server refuses the API key (${describeError(error) || status}). Check SIGNALBOX_API_KEY, or create a new key.`,
    )
  const reason = error === undefined ? '' : `: ${describeError(error)}`
  return {
    status,
    text: `The server answered ${status}${reason}${/[.!?]$/.test(reason) ? '' : '.'}`,
    isTransient: transientStatuses.has(status),
    retryAfterMs: parseRetryAfter(headers['retry-after'], now),
    error,
    offset,
  }
}

export function readOffset({ headers }: HttpAnswer): number | undefined {
  const value = headers['upload-offset']
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

export function readServerError({ text }: HttpAnswer): ServerError | undefined {
  const { error } = Object(parseJson(text)) as { error?: Readonly<Record<string, unknown>> | null }
  if (typeof error !== 'object' || error === null) return undefined
  const { code, message, requestId, problem, offset } = error
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  return {
    code,
    message,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    problem: typeof problem === 'string' ? problem : undefined,
    offset: typeof offset === 'number' ? offset : undefined,
  }
}

/** @returns undefined if the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describeError(error: ServerError | undefined): string {
  if (error === undefined) return ''
  const request = error.requestId === undefined ? '' : ` (request ${error.requestId})`
  return `${error.code}, ${error.message}${request}`
}

/**
 * Cloudflare and AWS WAF mark their challenges. Others are pages that a browser has to execute. A proxy that does not reach its server
 * answers 503 with a page too, but without a script or a form: that is retried.
 */
function isChallenge(answer: HttpAnswer): boolean {
  const { status, headers, text } = answer
  if (headers['cf-mitigated'] === 'challenge' || headers['x-amzn-waf-action'] !== undefined) return true
  if (!isHtml(answer)) return false
  const page =
    /<script|<form|http-equiv=["']?refresh|just a moment|captcha|challenge|checking your browser|enable javascript/i
  return (status === 403 || status === 503 || status === 429) && page.test(text)
}

function isHtml({ headers, text }: HttpAnswer): boolean {
  return /^text\/html\b/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype html|html)\b/i.test(text)
}

/** The answer of Signalbox to a HEAD has no body. */
function isEmptyJson({ headers, text }: HttpAnswer): boolean {
  return text === '' && (headers['content-type'] ?? '').startsWith('application/json')
}

/** The query of a redirect may have a token, so only the host is shown. */
function describeTarget(location: string | undefined): string {
  return location !== undefined && URL.canParse(location) ? `, to ${new URL(location).host}` : ''
}

function describeServer({ headers }: HttpAnswer): string {
  return headers.server === undefined ? '' : `, answered by "${headers.server}"`
}
