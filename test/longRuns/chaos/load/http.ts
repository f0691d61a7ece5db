/** HTTP for the clients of the load: kept connections and a time limit. */
import { Agent, request } from 'node:http'
import { patienceMs, Refused, Unanswered } from './requests.ts'

/** The server closes connections that were idle for 8 to 12 s. A request on one that it is closing would be lost. */
const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: 5_000 })

export interface HttpAnswer {
  readonly status: number
  readonly body: string
}

/** @throws Unanswered, or the error of a connection that ended */
export function send(
  url: string,
  method: 'GET' | 'POST',
  headers: Readonly<Record<string, string>>,
  body?: unknown,
  withinMs = patienceMs,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const all = text === undefined ? headers : { 'content-type': 'application/json', ...headers }
    const asked = request(url, { method, agent, headers: all }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() })
      })
    })
    const timer = setTimeout(() => {
      reject(new Unanswered(`no answer within ${withinMs} ms`))
      asked.destroy()
    }, withinMs)
    asked.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    asked.end(text)
  })
}

interface Problem {
  readonly message: string
  readonly extensions?: { readonly code?: string }
}

/** @throws Refused with the code of the first error */
export async function graphql<T>(
  url: string,
  headers: Readonly<Record<string, string>>,
  query: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<T> {
  const { body } = await send(
    `${url}/api/graphql`,
    'POST',
    { accept: 'application/json', origin: url, ...headers },
    { query, variables },
  )
  const answer = JSON.parse(body) as { data?: T; errors?: Problem[]; error?: { code: string; message: string } }
  const [first] = answer.errors ?? []
  if (first !== undefined) throw new Refused(first.extensions?.code ?? 'no code', first.message)
  if (answer.error !== undefined) throw new Refused(answer.error.code, answer.error.message)
  return answer.data as T
}

/** @throws Refused if the status is not one of those wanted */
export function wanted({ status, body }: HttpAnswer, ...statuses: readonly number[]): string {
  if (statuses.includes(status)) return body
  const { error } = parsed(body)
  // A tool call reports in `cause` why the operation behind the tool failed.
  const code = error?.code === 'TOOL_CALL_FAILED' ? (error.cause?.code ?? error.code) : error?.code
  // MCP has the numbers of JSON-RPC instead.
  if (typeof code !== 'string')
    throw new Refused(status === 503 ? 'UNAVAILABLE' : `status ${status}`, body.slice(0, 200))
  throw new Refused(code, error?.message ?? '')
}

interface Envelope {
  readonly error?: {
    readonly code: string | number
    readonly message: string
    readonly cause?: { readonly code: string }
  }
}

function parsed(body: string): Envelope {
  try {
    return JSON.parse(body) as Envelope
  } catch {
    return {}
  }
}
