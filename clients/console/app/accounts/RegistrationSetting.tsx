/** Shows and changes whether people may register accounts themselves. */
import { useOnTransition } from '../data/useOnTransition.ts'
import { useAsyncData } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { Switch } from '../parts/forms/Switch.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { getAuth, postAuth } from './authApi.ts'

const { registration: texts } = messages.accounts.users

export function RegistrationSetting({ provider }: { readonly provider: string | undefined }) {
  const { data, error, refresh } = useAsyncData('registration', () => getAuth('registration'))
  useOnTransition('REGISTRATION', refresh)
  const openHints = [texts.open, provider !== undefined && format(texts.openToProvider, { provider })].filter(Boolean)
  return (
    <section class="group" aria-labelledby="registration">
      <h2 id="registration">{texts.title}</h2>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {data === undefined && !error && <Loading />}
      {data && (
        <Switch
          label={texts.allow}
          isOn={data.open}
          hint={data.open ? openHints.join(' ') : texts.closed}
          onToggle={async (open) => {
            await postAuth('registration', { open })
            refresh()
          }}
        />
      )}
    </section>
  )
}
