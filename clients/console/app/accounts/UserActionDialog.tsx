/**
 * The actions on an account, each with a confirmation. The server refuses to disable or remove the last enabled account. The paths have
 * the names of Better Auth.
 */
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { Field, PasswordField, readNewPassword, UsernameHint } from '../parts/forms/Field.tsx'
import { postAuth } from './authApi.ts'
import type { UserAccount } from './useUsers.ts'

export type UserAction = keyof typeof userActions

const revocationNote = 'Its sessions, sockets and API keys are revoked within a second and stay revoked.'
const ownAccountNote = 'This is your own account. You will be signed out.'

const userActions = {
  password: {
    title: 'Set password',
    path: 'admin/set-user-password',
    description: 'Use this if the user forgot the password. All sessions of the account end. Its API keys stay valid.',
    ownNote: '',
  },
  sessions: {
    title: 'End sessions',
    path: 'admin/revoke-user-sessions',
    description: 'The account is signed out everywhere within a second. Its API keys stay valid.',
    ownNote: ownAccountNote,
  },
  disable: {
    title: 'Disable user',
    path: 'admin/ban-user',
    description: `The user cannot sign in until the account is enabled again. ${revocationNote}`,
    ownNote: ownAccountNote,
  },
  enable: {
    title: 'Enable user',
    path: 'admin/unban-user',
    description: 'The user can sign in again. Earlier sessions and keys stay revoked.',
    ownNote: '',
  },
  remove: {
    title: 'Remove user',
    path: 'admin/remove-user',
    description: `The account is deleted permanently. Its email address becomes available again. ${revocationNote}`,
    ownNote: ownAccountNote,
  },
} as const

interface UserActionDialogProps {
  readonly user: UserAccount
  readonly action: UserAction
  readonly isOwn: boolean
  onClose(): void
  onDone(): void
}

export function UserActionDialog({ user, action, isOwn, onClose, onDone }: UserActionDialogProps) {
  const { title, path, description, ownNote } = userActions[action]
  return (
    <ConfirmDialog
      title={`${title}: ${user.name}`}
      confirmLabel={title}
      onClose={onClose}
      onConfirm={async (formData) => {
        const rest =
          action === 'password'
            ? { newPassword: readNewPassword(formData, 'newPassword') }
            : action === 'disable' && String(formData.get('banReason')).trim() !== ''
              ? { banReason: String(formData.get('banReason')).trim() }
              : {}
        await postAuth(path, { userId: user.id, ...rest })
        onDone()
      }}
    >
      <p>{description}</p>
      {isOwn && ownNote !== '' && <p class="problem">{ownNote}</p>}
      <p class="id">{user.email}</p>
      {action === 'password' && (
        <>
          <UsernameHint email={user.email ?? ''} />
          <PasswordField name="newPassword" label="New password" isNew />
        </>
      )}
      {action === 'disable' && (
        <div class="field">
          <label for="banReason">
            Reason <span class="hint">recorded in the journal</span>
          </label>
          <input id="banReason" name="banReason" autoComplete="off" />
        </div>
      )}
    </ConfirmDialog>
  )
}

export function NewUserDialog({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  return (
    <ConfirmDialog
      title="Add user"
      confirmLabel="Add user"
      onClose={onClose}
      onConfirm={async (formData) => {
        await postAuth('admin/create-user', {
          name: String(formData.get('name') ?? '').trim(),
          email: String(formData.get('email') ?? '').trim(),
          password: readNewPassword(formData, 'password'),
        })
        onDone()
      }}
    >
      <p>Give the password to the user, who can change it after signing in.</p>
      <Field name="name" label="Name" />
      <Field name="email" label="Email address" type="email" />
      <PasswordField name="password" label="Password" isNew />
    </ConfirmDialog>
  )
}
