/** A field of a form, with its rule and its problem below it. */
import { useState } from 'preact/hooks'
import { en } from '../../../../spec/messages/en.ts'
import { format } from '../../../../spec/messages/format.ts'
import { Refusal } from '../data/ask.ts'
import { useProblem } from './Doing.tsx'

const inputs = { text: { type: 'text' }, email: { type: 'email' }, url: { type: 'url' } } as const

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly type?: keyof typeof inputs
  /** The current value. */
  readonly value?: string
  readonly optional?: boolean
  /** The maximum number of characters that the service accepts. */
  readonly longest?: number
  readonly placeholder?: string
}

export function Field({
  name,
  label,
  hint,
  type = 'text',
  value = '',
  optional = false,
  longest,
  placeholder,
}: FieldProps) {
  const problem = useProblem(name)
  return (
    <div class="field">
      <label for={`field-${name}`}>{label}</label>
      <input
        {...described(name, hint, problem)}
        {...inputs[type]}
        required={!optional}
        autoComplete="off"
        defaultValue={value}
        maxLength={longest}
        placeholder={placeholder}
      />
      <Below name={name} hint={hint} problem={problem} />
    </div>
  )
}

interface ChoiceFieldProps {
  readonly name: string
  readonly label: string
  /** The labels of the values. */
  readonly choices: Readonly<Record<string, string>>
  /** The current value. */
  readonly value: string | undefined
}

export function ChoiceField({ name, label, choices, value }: ChoiceFieldProps) {
  return (
    <div class="field">
      <label for={`field-${name}`}>{label}</label>
      <select id={`field-${name}`} name={name}>
        {Object.entries(choices).map(([choice, words]) => (
          <option key={choice} value={choice} selected={choice === value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}

interface PasswordFieldProps {
  readonly name: string
  readonly label: string
  /** Whether it is the new password of the account. */
  readonly fresh?: boolean
}

/** Pasted text is never truncated: a wrong length is reported. */
export function PasswordField({ name, label, fresh = false }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const problem = useProblem(name)
  const hint = fresh ? en.pages.fields.passwordRule : undefined
  // Password managers recognize the field by this.
  const autoComplete = fresh ? 'new-password' : 'current-password'
  const common = described(name, hint, problem)
  return (
    <div class="field">
      <label for={`field-${name}`}>{label}</label>
      <span class="secret">
        {shown ? (
          <input {...common} type="text" required autoComplete={autoComplete} />
        ) : (
          <input {...common} type="password" required autoComplete={autoComplete} />
        )}
        <button
          type="button"
          class="quiet"
          aria-label={`${shown ? 'Hide' : 'Show'}: ${label}`}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
        </button>
      </span>
      <Below name={name} hint={hint} problem={problem} />
    </div>
  )
}

function described(name: string, hint: string | undefined, problem: string) {
  const by = [hint && `field-${name}-hint`, problem && `field-${name}-problem`].filter(Boolean).join(' ')
  return {
    id: `field-${name}`,
    name,
    autoCapitalize: 'none',
    spellcheck: false,
    'aria-invalid': problem !== '',
    ...(by === '' ? {} : { 'aria-describedby': by }),
  } as const
}

function Below({
  name,
  hint,
  problem,
}: {
  readonly name: string
  readonly hint: string | undefined
  readonly problem: string
}) {
  return (
    <>
      {hint && (
        <p id={`field-${name}-hint`} class="hint">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`field-${name}-problem`} class="problem">
          {problem}
        </p>
      )}
    </>
  )
}

/** Password managers read here which account the password belongs to. */
export function Whose({ email }: { readonly email: string }) {
  return <input hidden autoComplete="username" value={email} readOnly />
}

/** Returns a new password as entered. @throws Refusal if it is too short or too long, before a request is sent */
export function newPasswordIn(given: FormData, name: string): string {
  const password = String(given.get(name) ?? '')
  if (password.length >= 8 && password.length <= 128) return password
  const length = password.length.toLocaleString('en')
  throw new Refusal('BAD_USER_INPUT', format(en.pages.problems.passwordLength, { length }), { field: name })
}
