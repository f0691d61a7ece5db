/** A user's API keys. With a key, a script can do what its owner can, except to manage accounts and keys. */
import { useState } from 'preact/hooks'
import { useAnswer } from '../data/useQuery.ts'
import { useSteps } from '../data/useSteps.ts'
import { Asking } from '../parts/Asking.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { useHeld } from '../parts/useHeld.ts'
import { look, tell } from './account.ts'
import { type MadeKey, NewKey, ShownKey } from './NewKey.tsx'

interface Key {
  readonly id: string
  readonly name: string | null
  readonly prefix: string
  readonly enabled: boolean
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastRequest: string | null
}

const changes = {
  off: { title: 'Turn off', says: 'Whatever uses it is refused within a second. It can be turned on again.' },
  on: { title: 'Turn on', says: 'It is good again, as it was.' },
  delete: { title: 'Delete', says: 'Whatever uses it is refused within a second. It can’t be undone.' },
} as const

export function Keys() {
  const { data, refusal, refresh } = useAnswer('keys', () => look<readonly Key[]>('api-key/list'))
  useSteps('API_KEY', refresh)
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<MadeKey>()
  const [changed, setChanged] = useState<{ readonly key: Key; readonly how: keyof typeof changes }>()
  const heading = useHeld()
  const keys = data?.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  return (
    <section class="group" aria-labelledby="keys">
      <div class="top">
        <h2 id="keys" ref={heading} tabIndex={-1}>
          API keys {data && <span class="count">{data.length.toLocaleString()}</span>}
        </h2>
        <button type="button" class="quiet" onClick={() => setMaking(true)}>
          Make a key
        </button>
      </div>
      <p class="note">
        A script that sends one in <code>X-API-Key</code> does what you can, but for accounts, sessions and keys. Each
        is shown once, when it is made.
      </p>
      {refusal && <Refused refusal={refusal} byItself />}
      {data === undefined && !refusal && <Loading what="your keys" />}
      {data?.length === 0 && (
        <Empty title="No key yet">
          <p>Make one for each script, so that you can turn it off alone.</p>
        </Empty>
      )}
      <ul class="cards owned">
        {keys?.map((key) => (
          <li key={key.id}>
            <span class="what">{key.name}</span>
            <span class="lamp" data-aspect={key.enabled ? 'clear' : 'caution'}>
              {key.enabled ? 'on' : 'off'}
            </span>
            <p class="hint">
              <code>{key.prefix}…</code>
              {' · '}made <Moment at={key.createdAt} />
              {' · '}
              {key.lastRequest ? (
                <>
                  last used <Moment at={key.lastRequest} />
                </>
              ) : (
                'never used'
              )}
              {' · '}
              {key.expiresAt ? (
                <>
                  ends <Moment at={key.expiresAt} />
                </>
              ) : (
                'has no end'
              )}
            </p>
            <p class="do">
              <button
                type="button"
                class="quiet"
                aria-label={`Turn ${key.enabled ? 'off' : 'on'}: ${key.name}`}
                onClick={() => setChanged({ key, how: key.enabled ? 'off' : 'on' })}
              >
                Turn {key.enabled ? 'off' : 'on'}
              </button>
              <button
                type="button"
                class="quiet"
                aria-label={`Delete: ${key.name}`}
                onClick={() => setChanged({ key, how: 'delete' })}
              >
                Delete
              </button>
            </p>
          </li>
        ))}
      </ul>
      {making && (
        <NewKey
          close={() => setMaking(false)}
          made={(key) => {
            setMade(key)
            refresh()
          }}
        />
      )}
      {made && !making && <ShownKey made={made} close={() => setMade(undefined)} />}
      {changed && (
        <Asking
          title={`${changes[changed.how].title}: ${changed.key.name}`}
          yes={changes[changed.how].title}
          close={() => setChanged(undefined)}
          doIt={async () => {
            const { key, how } = changed
            await (how === 'delete'
              ? tell('api-key/delete', { keyId: key.id })
              : tell('api-key/update', { keyId: key.id, enabled: how === 'on' }))
            refresh()
          }}
        >
          <p>{changes[changed.how].says}</p>
        </Asking>
      )}
    </section>
  )
}
