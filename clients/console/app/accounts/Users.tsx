/** All accounts, and whether people may register more. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { counted } from '../parts/counted.ts'
import { Filters } from '../parts/Filters.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { Rows } from '../parts/Rows.tsx'
import { useHeld } from '../parts/useHeld.ts'
import { textSize, useNarrow } from '../parts/useNarrow.ts'
import { filters } from '../router.ts'
import { useMe } from './Account.tsx'
import { Registration } from './Registration.tsx'
import { ChangeUser, type HowChanged, NewUser } from './userChanges.tsx'
import { type User, useUsers } from './useUsers.ts'
import { useWays } from './useWays.ts'

/** Relative to the text size. In a narrow window the actions are below the facts. */
const rowHeights = { wide: 4, narrow: 10.5 } as const

export function Users() {
  const { data, refusal, refresh, more } = useUsers()
  const me = useMe().data
  const ways = useWays().data
  const { q = '', status = '' } = filters.value
  const rowHeight = rowHeights[useNarrow() ? 'narrow' : 'wide'] * textSize()
  const heading = useHeld()
  const [making, setMaking] = useState(false)
  const [changed, setChanged] = useState<{ readonly user: User; readonly how: HowChanged }>()
  const words = q.toLowerCase()
  const shown = useMemo(
    () =>
      data?.users
        .filter(({ banned }) => status === '' || banned === (status === 'DISABLED'))
        .filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(words)) ?? [],
    [data, words, status],
  )
  const narrowed = words !== '' || status !== ''
  // The API has no text search for users: the page reads all of them and filters them itself.
  useEffect(() => {
    if (narrowed) more()
  }, [narrowed, data])
  return (
    <>
      <Registration provider={ways?.oidc?.name} />
      <section class="group" aria-labelledby="users">
        <div class="top">
          <h2 id="users" ref={heading} tabIndex={-1}>
            Users
          </h2>
          {ways?.password && (
            <button type="button" class="quiet" onClick={() => setMaking(true)}>
              Make an account
            </button>
          )}
        </div>
        <p class="note">
          Every account has the same access: each of these people can do whatever you can, here and everywhere.
          {ways?.password === false &&
            ` People get one when they first sign in at ${ways.oidc?.name ?? 'the provider'}.`}
        </p>
        <Filters placeholder="Name or email address" choices={['ENABLED', 'DISABLED']} all="Enabled or not" />
        {refusal && <Refused refusal={refusal} byItself />}
        {data === undefined && !refusal && <Loading what="the users" />}
        {data && (
          <p class="note" role="status">
            {counted(data.total, 'account')}
            {narrowed && `, ${shown.length.toLocaleString()} like that`}
          </p>
        )}
        {data && shown.length === 0 && (
          <Empty title="Nobody like that">
            <p>Change what is looked for, or look at all of them.</p>
          </Empty>
        )}
        {shown.length > 0 && (
          <Rows
            label="Accounts"
            rows={shown}
            rowHeight={rowHeight}
            idOf={({ id }) => id}
            onNearEnd={more}
            row={(user) => (
              <Row
                user={user}
                own={user.id === me?.id}
                passwords={ways?.password === true}
                change={(how) => setChanged({ user, how })}
              />
            )}
          />
        )}
        {making && <NewUser close={() => setMaking(false)} done={refresh} />}
        {changed && (
          <ChangeUser
            {...changed}
            own={changed.user.id === me?.id}
            close={() => setChanged(undefined)}
            done={refresh}
          />
        )}
      </section>
    </>
  )
}

interface RowProps {
  readonly user: User
  readonly own: boolean
  readonly passwords: boolean
  change(how: HowChanged): void
}

function Row({ user, own, passwords, change }: RowProps) {
  const { name, email, banned, createdAt } = user
  const button = (how: HowChanged, words: string) => (
    <button type="button" class="quiet" aria-label={`${words}: ${name}`} onClick={() => change(how)}>
      {words}
    </button>
  )
  return (
    <div class="user">
      <span class="who">
        <span class="what">{name}</span> {own && <span class="hint">you</span>}
        <br />
        <span class="hint">{email}</span>
      </span>
      <span class="lamp" data-aspect={banned ? 'stop' : 'clear'}>
        {banned ? 'disabled' : 'enabled'}
      </span>
      <span class="hint since">
        made <Moment at={createdAt} />
      </span>
      <span class="do">
        {passwords && !own && button('password', 'Set password')}
        {!banned && button('sessions', 'End sessions')}
        {banned ? button('enable', 'Enable') : button('disable', 'Disable')}
        {button('remove', 'Remove')}
      </span>
    </div>
  )
}
