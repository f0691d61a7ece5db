/** The account routes as a browser or a native client calls them. */

export interface Answered {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly cookie: string | undefined
  readonly headers: Headers
}

export const ada = { email: 'ada@example.com', password: 'correct horse battery staple', name: 'Ada' }

export async function rest(
  url: string,
  method: 'GET' | 'POST',
  path: string,
  { body, headers = {} }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answered> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), Origin: url, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : { text },
    cookie: answer.headers.getSetCookie()[0]?.split(';')[0],
    headers: answer.headers,
  }
}

/** A signed-in browser's headers. */
export const withCookie = (cookie: string | undefined) => ({ headers: { Cookie: cookie ?? '' } })
