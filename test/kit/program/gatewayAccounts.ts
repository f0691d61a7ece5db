/** The account routes of a world, as Better Auth's clients call them. */
import type { TestGateway } from '../runtime/testGateway.ts'

export interface Answered {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> & {
    readonly code?: string
    readonly message?: string
    readonly token?: string
    readonly user?: { readonly id: string; readonly email: string; readonly banned?: boolean }
  }
  readonly headers: Headers
}

export interface Person {
  readonly userId: string
  readonly email: string
  readonly token: string
}

export const password = 'correct horse'
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export function accountsOf(world: () => TestGateway) {
  let count = 0

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${world().url}/api/auth${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json(), headers: response.headers } as Answered
  }

  const signIn = (email: string, secret = password, headers: Record<string, string> = {}) =>
    call('POST', '/sign-in/email', { email, password: secret }, headers)

  /** Makes an account, by the leave of another where registration is closed, and signs in to it. */
  async function newPerson(by?: Person): Promise<Person> {
    const email = `p${++count}@example.com`
    const made = await call('POST', '/sign-up/email', { name: 'P', email, password }, by ? bearer(by.token) : {})
    const token = made.body.token ?? (await signIn(email)).body.token
    if (!token) throw new Error(`no account: ${made.status} ${JSON.stringify(made.body)}`)
    return { userId: made.body.user?.id ?? '', email, token }
  }

  /** Whether the token is good for anything. */
  async function live(token: string): Promise<boolean> {
    return (await call('GET', '/list-sessions', undefined, bearer(token))).status === 200
  }

  return { call, signIn, newPerson, live }
}
