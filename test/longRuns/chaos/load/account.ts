/** The user for whom the load is made. */
import { send, wanted } from './http.ts'

export interface Account {
  readonly key: string
  readonly keyHeaders: { readonly 'x-api-key': string }
  /** The cookie of a signed-in browser. */
  readonly cookie: string
  newKey(url: string): Promise<{ readonly id: string; readonly key: string }>
  deleteKey(url: string, id: string): Promise<void>
}

/** The first account of a new database, with an API key. */
export async function firstAccount(url: string): Promise<Account> {
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery staple', name: 'Ada' }),
  })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0]
  if (!answer.ok || cookie === undefined)
    throw new Error(`the account could not be created: ${answer.status} ${await answer.text()}`)
  const post = async (at: string, path: string, body: unknown) =>
    wanted(await send(`${at}/api/auth/api-key/${path}`, 'POST', { cookie, origin: at }, body), 200, 201)
  const newKey = async (at: string) =>
    JSON.parse(await post(at, 'create', { name: 'load' })) as { id: string; key: string }
  const { key } = await newKey(url)
  return {
    key,
    cookie,
    keyHeaders: { 'x-api-key': key },
    newKey,
    deleteKey: async (at, id) => void (await post(at, 'delete', { keyId: id })),
  }
}
