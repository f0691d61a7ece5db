/** A user's own account: identity, password and sessions. */

import { Refusal } from '../data/ask.ts'
import { useAnswer } from '../data/useQuery.ts'
import { Moment } from '../parts/Moment.tsx'
import { Loading, Refused } from '../parts/Notice.tsx'
import { look } from './account.ts'
import { Linked } from './Linked.tsx'
import { Password } from './Password.tsx'
import { Sessions } from './Sessions.tsx'
import { useWays } from './useWays.ts'

export interface Person {
  readonly id: string
  readonly email: string | null
  readonly name: string | null
  readonly createdAt: string
}

export function useMe() {
  return useAnswer('get-session', async () => {
    const known = await look<{ user: Person } | null>('get-session')
    if (known === null) throw new Refusal('UNAUTHENTICATED', 'You are signed in no more.')
    return known.user
  })
}

export function Account() {
  const { data: me, refusal } = useMe()
  const ways = useWays()
  return (
    <>
      <section class="group" aria-labelledby="you">
        <h2 id="you">You</h2>
        {refusal && <Refused refusal={refusal} byItself />}
        {me === undefined && !refusal && <Loading what="your account" />}
        {me && (
          <dl class="terms">
            <dt>Name</dt>
            <dd>{me.name}</dd>
            <dt>Email address</dt>
            <dd>{me.email}</dd>
            <dt>Account made</dt>
            <dd>
              <Moment at={me.createdAt} />
            </dd>
            <dt>ID</dt>
            <dd class="id">{me.id}</dd>
          </dl>
        )}
      </section>
      <section class="group" aria-labelledby="password">
        <h2 id="password">Password</h2>
        {ways.refusal && <Refused refusal={ways.refusal} byItself />}
        {ways.data?.password === false && (
          <p class="note">
            This server keeps no passwords. You sign in at {ways.data.oidc?.name ?? 'the provider'}, and what guards
            that is changed there.
          </p>
        )}
        {ways.data?.password && <Password email={me?.email ?? ''} />}
      </section>
      {ways.data?.oidc && <Linked provider={ways.data.oidc} />}
      <Sessions />
    </>
  )
}
