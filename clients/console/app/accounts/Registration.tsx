/** Shows and changes whether people may register accounts themselves. */

import { useAnswer } from '../data/useQuery.ts'
import { useSteps } from '../data/useSteps.ts'
import { Loading, Refused } from '../parts/Notice.tsx'
import { Switch } from '../parts/Switch.tsx'
import { look, tell } from './account.ts'

interface Open {
  readonly open: boolean
}

export function Registration({ provider }: { readonly provider: string | undefined }) {
  const { data, refusal, refresh } = useAnswer('registration', () => look<Open>('registration'))
  useSteps('REGISTRATION', refresh)
  const others = provider === undefined ? '' : ` A first sign-in at ${provider} counts as one, too.`
  return (
    <section class="group" aria-labelledby="registration">
      <h2 id="registration">Registration</h2>
      {refusal && <Refused refusal={refusal} byItself />}
      {data === undefined && !refusal && <Loading what="whether it is open" />}
      {data && (
        <Switch
          label="People may make accounts themselves"
          on={data.open}
          hint={
            data.open
              ? `It is open: whoever reaches this server can make an account at /register, with the same access as yours.${others}`
              : `It is closed: new accounts are made here, by who has one. Those that there are sign in as before.${others}`
          }
          turn={async (open) => {
            await tell('registration', { open })
            refresh()
          }}
        />
      )}
    </section>
  )
}
