/** Calls of REST routes over real HTTP, and what is heard. */
import type { RestRoute } from '../../../../spec/rest/restRoute.ts'

/** What a test sends beside method and path. */
export interface Sent {
  /** Of the path; what is not given stays in braces. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  /** JSON, or text that is sent as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Heard {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** Of a file, its text. */
  readonly body: unknown
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export async function call(url: string, { method, path }: RestRoute, sent: Sent): Promise<Heard> {
  const { params = {}, query = '', body, headers } = sent
  const filled = path.replace(/\{(\w+)\}/g, (braces, name: string) => params[name] ?? braces)
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${url}${filled}${query}`, {
    method,
    redirect: 'manual',
    headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(text === undefined ? {} : { body: text }),
  })
  const answer = await response.text()
  const isJson = /^application\/json/.test(response.headers.get('content-type') ?? '')
  const heard = answer === '' ? undefined : isJson ? JSON.parse(answer) : answer
  return { status: response.status, headers: response.headers, body: heard }
}
