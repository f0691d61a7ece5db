/** A user's own account: identity, password and sessions. */
import { ApiError } from '../data/apiError.ts'
import { useAsyncData } from '../data/useQuery.ts'
import { messages } from '../messages.ts'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { AuthSessions } from './AuthSessions.tsx'
import { getAuth } from './authApi.ts'
import { ChangePasswordForm } from './ChangePasswordForm.tsx'
import { LinkedIdentity } from './LinkedIdentity.tsx'
import { PreferenceFields } from './PreferenceFields.tsx'
import { useSignInMethods } from './useSignInMethods.ts'

export function useSignedInUser() {
  return useAsyncData('get-session', async () => {
    const session = await getAuth('get-session')
    if (session === null) throw new ApiError('UNAUTHENTICATED', 'You are signed out. Sign in again.')
    return session.user
  })
}

export function AccountSettings() {
  const { data: user, error } = useSignedInUser()
  const methods = useSignInMethods()
  return (
    <>
      <section class="group" aria-labelledby="appearance">
        <h2 id="appearance">{messages.accounts.appearance}</h2>
        <PreferenceFields />
      </section>
      <section class="group" aria-labelledby="profile">
        <h2 id="profile">Profile</h2>
        {error && <ErrorMessage error={error} retriesAutomatically />}
        {user === undefined && !error && <Loading />}
        {user && (
          <dl class="terms">
            <dt>Name</dt>
            <dd>{user.name}</dd>
            <dt>Email address</dt>
            <dd>{user.email}</dd>
            <dt>Created</dt>
            <dd>
              <RelativeTime at={user.createdAt} />
            </dd>
            <dt>ID</dt>
            <dd class="id">{user.id}</dd>
          </dl>
        )}
      </section>
      <section class="group" aria-labelledby="password">
        <h2 id="password">Password</h2>
        {methods.error && <ErrorMessage error={methods.error} retriesAutomatically />}
        {methods.data?.password === false && (
          <p class="note">
            This server stores no passwords. You sign in with {methods.data.oidc?.name ?? 'the provider'}. Change your
            password there.
          </p>
        )}
        {methods.data?.password && <ChangePasswordForm email={user?.email ?? ''} />}
      </section>
      {methods.data?.oidc && <LinkedIdentity provider={methods.data.oidc} />}
      <AuthSessions />
    </>
  )
}
