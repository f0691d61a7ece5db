/** The reason for an action: a field of a form, and its value. */

export function Reason({ required = false }: { readonly required?: boolean }) {
  return (
    <div class="field">
      <label for="reason">
        Why <span class="hint">is kept in the journal</span>
      </label>
      <input id="reason" name="reason" required={required} maxLength={500} autoComplete="off" />
    </div>
  )
}

/** @returns null if it is empty */
export function reasonIn(given: FormData): string | null {
  const reason = String(given.get('reason') ?? '').trim()
  return reason === '' ? null : reason
}
