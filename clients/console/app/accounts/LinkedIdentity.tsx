/** The identity at the provider that can sign in to the user's account, and the action that links one. */
import { useAsyncData } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { FormErrors, useFormSubmission } from '../parts/forms/FormErrors.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { useFilters } from '../router.ts'
import { getAuth, postAuth } from './authApi.ts'
import type { IdentityProvider } from './useSignInMethods.ts'

const { linked: texts } = messages.accounts.own

export function LinkedIdentity({ provider: { providerId, name: provider } }: { readonly provider: IdentityProvider }) {
  const { data: accounts, error } = useAsyncData('list-accounts', () => getAuth('list-accounts'))
  const linked = accounts?.find((account) => account.providerId === providerId)
  const submission = useFormSubmission(
    async () => {
      const pages = { callbackURL: '/settings?linked=yes', errorCallbackURL: '/settings' }
      const { url } = await postAuth('oauth2/link', { providerId, ...pages })
      location.assign(url)
    },
    () => {},
  )
  const { linked: justLinked, error_description: problem } = useFilters()
  return (
    <section class="group" aria-labelledby="linked">
      <h2 id="linked">{format(texts.title, { provider })}</h2>
      {problem && (
        <div class="message" role="alert">
          <p>{problem}</p>
        </div>
      )}
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {accounts === undefined && !error && <Loading />}
      {linked && (
        <>
          <dl class="terms">
            <dt>{texts.identity}</dt>
            <dd class="id">{linked.accountId}</dd>
          </dl>
          <p class="note" role="status">
            {format(justLinked ? texts.justLinked : texts.canSignIn, { provider })}
          </p>
        </>
      )}
      {accounts && !linked && (
        <form
          class="settings-form"
          onSubmit={(event) => {
            event.preventDefault()
            submission.submit(event.currentTarget)
          }}
        >
          <p class="note">{format(texts.none, { provider })}</p>
          <FormErrors submission={submission}>{null}</FormErrors>
          <button type="submit" class="primary" aria-busy={submission.isWorking}>
            {format(submission.isWorking ? texts.opening : texts.link, { provider })}
          </button>
        </form>
      )}
    </section>
  )
}
