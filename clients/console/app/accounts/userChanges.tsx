/** The actions on an account, each with a confirmation. The server decides, and always keeps one enabled account. */

import { Asking } from '../parts/Asking.tsx'
import { Field, newPasswordIn, PasswordField, Whose } from '../parts/Field.tsx'
import { tell } from './account.ts'
import type { User } from './useUsers.ts'

export type HowChanged = keyof typeof changes

const ends = 'Its sessions, sockets and API keys end within a second, and stay ended.'
const isOwn = 'It is your own: you are signed out by it.'

const changes = {
  password: {
    title: 'Set password',
    path: 'admin/set-user-password',
    says: 'For who forgot theirs. All sessions of the account end; its API keys stay.',
    ownToo: '',
  },
  sessions: {
    title: 'End sessions',
    path: 'admin/revoke-user-sessions',
    says: 'The account is signed out everywhere, within a second. Its API keys stay.',
    ownToo: isOwn,
  },
  disable: {
    title: 'Disable',
    path: 'admin/ban-user',
    says: `Nobody can sign in to it until it is enabled again. ${ends}`,
    ownToo: isOwn,
  },
  enable: {
    title: 'Enable',
    path: 'admin/unban-user',
    says: 'Its user can sign in again. The sessions and keys that it had stay ended.',
    ownToo: '',
  },
  remove: {
    title: 'Remove',
    path: 'admin/remove-user',
    says: `The account is gone for good, and its email address is free again. ${ends}`,
    ownToo: isOwn,
  },
} as const

interface ChangeUserProps {
  readonly user: User
  readonly how: HowChanged
  readonly own: boolean
  close(): void
  done(): void
}

export function ChangeUser({ user, how, own, close, done }: ChangeUserProps) {
  const { title, path, says, ownToo } = changes[how]
  return (
    <Asking
      title={`${title}: ${user.name}`}
      yes={title}
      close={close}
      doIt={async (given) => {
        const rest =
          how === 'password'
            ? { newPassword: newPasswordIn(given, 'newPassword') }
            : how === 'disable' && String(given.get('banReason')).trim() !== ''
              ? { banReason: String(given.get('banReason')).trim() }
              : {}
        await tell(path, { userId: user.id, ...rest })
        done()
      }}
    >
      <p>{says}</p>
      {own && ownToo !== '' && <p class="problem">{ownToo}</p>}
      <p class="id">{user.email}</p>
      {how === 'password' && (
        <>
          <Whose email={user.email ?? ''} />
          <PasswordField name="newPassword" label="New password" fresh />
        </>
      )}
      {how === 'disable' && (
        <div class="field">
          <label for="banReason">
            Why <span class="hint">is kept in the journal</span>
          </label>
          <input id="banReason" name="banReason" autoComplete="off" />
        </div>
      )}
    </Asking>
  )
}

export function NewUser({ close, done }: { close(): void; done(): void }) {
  return (
    <Asking
      title="Make an account"
      yes="Make it"
      close={close}
      doIt={async (given) => {
        await tell('admin/create-user', {
          name: String(given.get('name') ?? '').trim(),
          email: String(given.get('email') ?? '').trim(),
          password: newPasswordIn(given, 'password'),
        })
        done()
      }}
    >
      <p>Tell its user the password. They can change it as soon as they are signed in.</p>
      <Field name="name" label="Name" />
      <Field name="email" label="Email address" type="email" />
      <PasswordField name="password" label="Password" fresh />
    </Asking>
  )
}
