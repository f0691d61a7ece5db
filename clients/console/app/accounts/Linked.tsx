/** The identity at the provider that can sign in to the user's account, and the action that links one. */

import { useAnswer } from '../data/useQuery.ts'
import { Doing, useDoing } from '../parts/Doing.tsx'
import { Loading, Refused } from '../parts/Notice.tsx'
import { filters } from '../router.ts'
import { look, tell } from './account.ts'
import type { Provider } from './useWays.ts'

interface LinkedAccount {
  readonly providerId: string
  readonly accountId: string
}

export function Linked({ provider: { providerId, name } }: { readonly provider: Provider }) {
  const { data: accounts, refusal } = useAnswer('list-accounts', () => look<readonly LinkedAccount[]>('list-accounts'))
  const linked = accounts?.find((account) => account.providerId === providerId)
  const doing = useDoing(
    async () => {
      const pages = { callbackURL: '/settings?linked=yes', errorCallbackURL: '/settings' }
      const { url } = await tell<{ url: string }>('oauth2/link', { providerId, ...pages })
      location.assign(url)
    },
    () => {},
  )
  const { linked: justLinked, error_description: problem } = filters.value
  return (
    <section class="group" aria-labelledby="linked">
      <h2 id="linked">Sign-in with {name}</h2>
      {problem && (
        <div class="message" role="alert">
          <p>{problem}</p>
        </div>
      )}
      {refusal && <Refused refusal={refusal} byItself />}
      {accounts === undefined && !refusal && <Loading what="your linked identity" />}
      {linked && (
        <>
          <dl class="terms">
            <dt>Linked identity</dt>
            <dd class="id">{linked.accountId}</dd>
          </dl>
          <p class="note" role="status">
            {justLinked ? `Your account is linked. You can sign in with ${name}.` : `You can sign in with ${name}.`}
          </p>
        </>
      )}
      {accounts && !linked && (
        <form
          class="own-form"
          onSubmit={(event) => {
            event.preventDefault()
            doing.submit(event.currentTarget)
          }}
        >
          <p class="note">
            No identity of {name} is linked to your account. After you link one, you can sign in with it.
          </p>
          <Doing doing={doing}>{null}</Doing>
          <button type="submit" class="primary" aria-busy={doing.working}>
            {doing.working ? `Opening ${name} …` : `Link ${name}`}
          </button>
        </form>
      )}
    </section>
  )
}
