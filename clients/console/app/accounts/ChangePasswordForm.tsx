/** Changes the user's own password. */
import { useState } from 'preact/hooks'
import { PasswordField, readNewPassword, UsernameHint } from '../parts/forms/Field.tsx'
import { FormErrors, useFormSubmission } from '../parts/forms/FormErrors.tsx'
import { postAuth, postAuthReplacingSession } from './authApi.ts'

export function ChangePasswordForm({ email }: { readonly email: string }) {
  const [result, setResult] = useState('')
  const submission = useFormSubmission(
    async (formData) => {
      setResult('')
      const body = {
        currentPassword: String(formData.get('currentPassword') ?? ''),
        newPassword: readNewPassword(formData, 'newPassword'),
      }
      if (formData.get('others') === null) {
        await postAuth('change-password', body)
        setResult('Password changed. Your other sessions stay signed in.')
      } else {
        await postAuthReplacingSession('change-password', { ...body, revokeOtherSessions: true })
        setResult('Password changed. Your other sessions have ended.')
      }
    },
    () => {},
  )
  return (
    <form
      class="settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        submission.submit(event.currentTarget)
      }}
    >
      <UsernameHint email={email} />
      <FormErrors submission={submission}>
        <PasswordField name="currentPassword" label="Current password" />
        <PasswordField name="newPassword" label="New password" isNew />
        <label class="checkbox-field">
          <input type="checkbox" name="others" defaultChecked />
          End my other sessions
        </label>
        <p class="hint">API keys stay valid.</p>
      </FormErrors>
      <button type="submit" class="primary" aria-busy={submission.isWorking}>
        {submission.isWorking ? 'Changing password …' : 'Change password'}
      </button>
      <p class="note" role="status">
        {result}
      </p>
    </form>
  )
}
