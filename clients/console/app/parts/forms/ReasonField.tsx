/** The reason for an action: a field of a form, and its value. */
import { messages } from '../../messages.ts'

export function ReasonField({ required = false }: { readonly required?: boolean }) {
  return (
    <div class="field">
      <label for="reason">
        {messages.parts.reason} <span class="hint">{messages.parts.reasonHint}</span>
      </label>
      <input id="reason" name="reason" required={required} maxLength={500} autoComplete="off" />
    </div>
  )
}

/** @returns null if it is empty */
export function readReason(formData: FormData): string | null {
  const reason = String(formData.get('reason') ?? '').trim()
  return reason === '' ? null : reason
}
