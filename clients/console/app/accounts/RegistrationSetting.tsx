/** Shows and changes whether people may register accounts themselves. */
import { useOnTransition } from '../data/useOnTransition.ts'
import { useAsyncData } from '../data/useQuery.ts'
import { Switch } from '../parts/forms/Switch.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { getAuth, postAuth } from './authApi.ts'

export function RegistrationSetting({ provider }: { readonly provider: string | undefined }) {
  const { data, error, refresh } = useAsyncData('registration', () => getAuth('registration'))
  useOnTransition('REGISTRATION', refresh)
  const providerNote = provider === undefined ? '' : ` The first sign-in with ${provider} also creates an account.`
  return (
    <section class="group" aria-labelledby="registration">
      <h2 id="registration">Registration</h2>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {data === undefined && !error && <Loading />}
      {data && (
        <Switch
          label="Allow registration"
          isOn={data.open}
          hint={
            data.open
              ? `Registration is open. Everyone who can reach this server can create an account at /register, with the same access as yours.${providerNote}`
              : `Registration is closed. Only existing users can add accounts.`
          }
          onToggle={async (open) => {
            await postAuth('registration', { open })
            refresh()
          }}
        />
      )}
    </section>
  )
}
