/** The callers of the cases, and the input that creates an account. */
import { accountRoutes } from '../../../../spec/accounts/accountRoutes.ts'
import type { Person } from '../../../kit/program/gatewayAccounts.ts'
import { bearer, type Sent } from './call.ts'
import type { TroubledGateways } from './troubledGateways.ts'

export const nobody = async (): Promise<Sent> => ({})
export const somebody = async (stage: TroubledGateways): Promise<Sent> => ({
  headers: bearer((await stage.person()).token),
})
export const with_ = async (stage: TroubledGateways, more: Sent): Promise<Sent> => ({
  ...(await somebody(stage)),
  ...more,
})

let accounts = 0
export const account = () => ({ name: 'Ada', email: `ada${++accounts}@example.com`, password: 'correct horse' })

export interface Holder extends Person {
  readonly password: string
  readonly headers: Readonly<Record<string, string>>
}

/** A user who signed in with a password, and whose session this process has cached. */
export async function holder(stage: TroubledGateways): Promise<Holder> {
  const { name, email, password } = account()
  const made = await stage.call(accountRoutes.signUp, await with_(stage, { body: { name, email, password } }))
  const { id: userId } = (made.body as { user: { id: string } }).user
  const token = await anotherSession(stage, { email, password })
  const headers = bearer(token)
  await stage.call(accountRoutes.getSession, { headers })
  return { userId, email, password, token, headers }
}

export async function anotherSession(
  stage: TroubledGateways,
  { email, password }: Pick<Holder, 'email' | 'password'>,
): Promise<string> {
  const { body } = await stage.call(accountRoutes.signIn, { body: { email, password } })
  return (body as { token: string }).token
}
