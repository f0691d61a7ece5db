/** Changes the user's own password. */
import { useState } from 'preact/hooks'
import { Doing, useDoing } from '../parts/Doing.tsx'
import { newPasswordIn, PasswordField, Whose } from '../parts/Field.tsx'
import { exchange, tell } from './account.ts'

export function Password({ email }: { readonly email: string }) {
  const [said, setSaid] = useState('')
  const doing = useDoing(
    async (given) => {
      setSaid('')
      const body = {
        currentPassword: String(given.get('currentPassword') ?? ''),
        newPassword: newPasswordIn(given, 'newPassword'),
      }
      if (given.get('others') === null) {
        await tell('change-password', body)
        setSaid('Your password is changed. Your other sessions go on.')
      } else {
        await exchange('change-password', { ...body, revokeOtherSessions: true })
        setSaid('Your password is changed, and your other sessions have ended.')
      }
    },
    () => {},
  )
  return (
    <form
      class="own-form"
      onSubmit={(event) => {
        event.preventDefault()
        doing.submit(event.currentTarget)
      }}
    >
      <Whose email={email} />
      <Doing doing={doing}>
        <PasswordField name="currentPassword" label="Present password" />
        <PasswordField name="newPassword" label="New password" fresh />
        <label class="tick">
          <input type="checkbox" name="others" defaultChecked />
          End my other sessions
        </label>
        <p class="hint">API keys stay as they are.</p>
      </Doing>
      <button type="submit" class="primary" aria-busy={doing.working}>
        {doing.working ? 'Changing it …' : 'Change password'}
      </button>
      <p class="note" role="status">
        {said}
      </p>
    </form>
  )
}
