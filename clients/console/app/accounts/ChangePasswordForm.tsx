/** Changes the user's own password. */
import { useState } from 'preact/hooks'
import { messages } from '../messages.ts'
import { PasswordField, readNewPassword, UsernameHint } from '../parts/forms/Field.tsx'
import { FormErrors, useFormSubmission } from '../parts/forms/FormErrors.tsx'
import { postAuth, postAuthReplacingSession } from './authApi.ts'

const { password: texts } = messages.accounts.own

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
        setResult(texts.othersStay)
      } else {
        await postAuthReplacingSession('change-password', { ...body, revokeOtherSessions: true })
        setResult(texts.othersEnded)
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
        <PasswordField name="currentPassword" label={texts.current} />
        <PasswordField name="newPassword" label={texts.new} isNew />
        <label class="checkbox-field">
          <input type="checkbox" name="others" defaultChecked />
          {texts.endOthers}
        </label>
        <p class="hint">{texts.keysStay}</p>
      </FormErrors>
      <button type="submit" class="primary" aria-busy={submission.isWorking}>
        {submission.isWorking ? texts.changing : texts.change}
      </button>
      <p class="note" role="status">
        {result}
      </p>
    </form>
  )
}
