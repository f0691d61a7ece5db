/**
 * The actions on an account, each with a confirmation. The server refuses to disable or remove the last enabled account. The paths have
 * the names of Better Auth.
 */
import { format, messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { Field, PasswordField, readNewPassword, UsernameHint } from '../parts/forms/Field.tsx'
import { postAuth } from './authApi.ts'
import type { AuthPath } from './authRoutes.ts'
import type { UserAccount } from './useUsers.ts'

const { users: texts, own, actionOn } = messages.accounts

export type UserAction = keyof typeof texts.actions

interface UserActionRequest {
  readonly path: AuthPath<'POST'>
  /** Whether the sessions of the account end, also the current one of the user's own account. */
  readonly endsSessions: boolean
  readonly look: 'primary' | 'danger'
}

const requests = {
  password: { path: 'admin/set-user-password', endsSessions: false, look: 'primary' },
  sessions: { path: 'admin/revoke-user-sessions', endsSessions: true, look: 'danger' },
  disable: { path: 'admin/ban-user', endsSessions: true, look: 'danger' },
  enable: { path: 'admin/unban-user', endsSessions: false, look: 'primary' },
  remove: { path: 'admin/remove-user', endsSessions: true, look: 'danger' },
} as const satisfies Record<UserAction, UserActionRequest>

interface UserActionDialogProps {
  readonly user: UserAccount
  readonly action: UserAction
  readonly isOwn: boolean
  onClose(): void
  onDone(): void
}

export function UserActionDialog({ user, action, isOwn, onClose, onDone }: UserActionDialogProps) {
  const { title, description } = texts.actions[action]
  const { path, endsSessions, look } = requests[action]
  return (
    <ConfirmDialog
      title={format(actionOn, { action: title, name: user.name ?? '' })}
      confirmLabel={title}
      look={look}
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
      {isOwn && endsSessions && <p class="problem">{texts.ownAccount}</p>}
      <p class="id">{user.email}</p>
      {action === 'password' && (
        <>
          <UsernameHint email={user.email ?? ''} />
          <PasswordField name="newPassword" label={own.password.new} isNew />
        </>
      )}
      {action === 'disable' && (
        <div class="field">
          <label for="banReason">
            {messages.parts.reason} <span class="hint">{messages.parts.reasonHint}</span>
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
      title={texts.add.title}
      confirmLabel={texts.add.title}
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
      <p>{texts.add.hint}</p>
      <Field name="name" label={own.profile.name} />
      <Field name="email" label={own.profile.email} type="email" />
      <PasswordField name="password" label={own.password.title} isNew />
    </ConfirmDialog>
  )
}
