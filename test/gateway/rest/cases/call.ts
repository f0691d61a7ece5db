/** Calls REST routes over real HTTP and records the responses. */
import type { RestRoute } from '../../../../spec/rest/restRoute.ts'
import { raw } from '../../../kit/program/raw.ts'

/** The parts of a request other than method and path. */
export interface Sent {
  /** Of the path; what is not given stays in braces. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  /** JSON, or text or bytes that are sent as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Heard {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** The parsed JSON, or the text if the body is not JSON. */
  readonly body: unknown
}

/** Fills the parameters of a path. Parameters without a value stay in braces. */
export function pathWith(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (braces, name: string) => params[name] ?? braces)
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export async function call(url: string, { method, path }: RestRoute, sent: Sent): Promise<Heard> {
  const { params = {}, query = '', body, headers } = sent
  const asItIs = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  const sentBody = asItIs ? (body as BodyInit | undefined) : JSON.stringify(body)
  const response = await fetch(`${url}${pathWith(path, params)}${query}`, {
    method,
    redirect: 'manual',
    headers: { ...(sentBody === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(sentBody === undefined ? {} : { body: sentBody }),
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const answer = isStream ? await firstEvent(response) : await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const heard = answer === '' ? undefined : isJson ? JSON.parse(answer) : answer
  return { status: response.status, headers: response.headers, body: heard }
}

/** A stream has no end, so it is left after the first event. */
async function firstEvent({ body }: Response): Promise<string> {
  let text = ''
  if (body === null) return text
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString()
    if (/^data: .*\n\n/m.test(text)) return text
  }
  return text
}

/** Announces a body that does not come. */
export async function slowBody(port: number, { method, path }: RestRoute, sent: Sent): Promise<Heard> {
  const { params = {}, query = '', headers: own = {} } = sent
  const head = [
    `${method} ${pathWith(path, params)}${query} HTTP/1.1`,
    'host: localhost',
    'content-length: 10',
    ...Object.entries({ 'content-type': 'application/json', ...own }).map(([name, value]) => `${name}: ${value}`),
  ]
  const answer = await raw(port, [`${head.join('\r\n')}\r\n\r\n{`])
  const headers = new Headers()
  for (const line of answer.head.split('\r\n').slice(1)) {
    const cut = line.indexOf(':')
    headers.append(line.slice(0, cut), line.slice(cut + 1).trim())
  }
  return { status: answer.status, headers, body: JSON.parse(answer.body) }
}
