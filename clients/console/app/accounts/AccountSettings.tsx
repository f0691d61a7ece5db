/** A user's own account: identity, password and sessions. */
import { ApiError } from '../data/apiError.ts'
import { useAsyncData } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { AuthSessions } from './AuthSessions.tsx'
import { getAuth } from './authApi.ts'
import { ChangePasswordForm } from './ChangePasswordForm.tsx'
import { LinkedIdentity } from './LinkedIdentity.tsx'
import { PreferenceFields } from './PreferenceFields.tsx'
import { useSignInMethods } from './useSignInMethods.ts'

const { own: texts, theProvider } = messages.accounts

export function useSignedInUser() {
  return useAsyncData('get-session', async () => {
    const session = await getAuth('get-session')
    if (session === null) throw new ApiError('UNAUTHENTICATED', texts.signedOut)
    return session.user
  })
}

export function AccountSettings() {
  const { data: user, error } = useSignedInUser()
  const methods = useSignInMethods()
  // The sections below are shown together, so that none moves when another is loaded.
  const isLoaded = (user ?? error) !== undefined && (methods.data ?? methods.error) !== undefined
  return (
    <>
      <section class="group" aria-labelledby="appearance">
        <h2 id="appearance">{texts.appearance}</h2>
        <PreferenceFields />
      </section>
      <section class="group" aria-labelledby="profile">
        <h2 id="profile">{texts.profile.title}</h2>
        {error && <ErrorMessage error={error} retriesAutomatically />}
        {user === undefined && !error && <Loading />}
        {user && (
          <dl class="terms">
            <dt>{texts.profile.name}</dt>
            <dd>{user.name}</dd>
            <dt>{texts.profile.email}</dt>
            <dd>{user.email}</dd>
            <dt>{texts.profile.created}</dt>
            <dd>
              <RelativeTime at={user.createdAt} />
            </dd>
            <dt>{texts.profile.id}</dt>
            <dd class="id">{user.id}</dd>
          </dl>
        )}
      </section>
      {isLoaded && (
        <>
          <section class="group" aria-labelledby="password">
            <h2 id="password">{texts.password.title}</h2>
            {methods.error && <ErrorMessage error={methods.error} retriesAutomatically />}
            {methods.data?.password === false && (
              <p class="note">
                {format(texts.password.noPasswords, { provider: methods.data.oidc?.name ?? theProvider })}
              </p>
            )}
            {methods.data?.password && <ChangePasswordForm email={user?.email ?? ''} />}
          </section>
          {methods.data?.oidc && <LinkedIdentity provider={methods.data.oidc} />}
          <AuthSessions />
        </>
      )}
    </>
  )
}
