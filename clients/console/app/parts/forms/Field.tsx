/** A field of a form, with its rule and its problem below it. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../../data/apiError.ts'
import { format, messages } from '../../messages.ts'
import { useFieldProblem } from './FormErrors.tsx'
import { useFieldId } from './fieldIds.ts'

const { password: texts } = messages.parts

const inputs = { text: { type: 'text' }, email: { type: 'email' }, url: { type: 'url' } } as const

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly type?: keyof typeof inputs
  /** The current value. */
  readonly value?: string
  readonly isOptional?: boolean
  /** The maximum number of characters that the service accepts. */
  readonly maxLength?: number
  readonly placeholder?: string
}

export function Field({
  name,
  label,
  hint,
  type = 'text',
  value = '',
  isOptional = false,
  maxLength,
  placeholder,
}: FieldProps) {
  const problem = useFieldProblem(name)
  const attributes = useFieldAttributes(name, hint, problem)
  return (
    <FieldFrame name={name} label={label} hint={hint} problem={problem}>
      <input
        {...attributes}
        {...inputs[type]}
        required={!isOptional}
        autoComplete="off"
        defaultValue={value}
        maxLength={maxLength}
        placeholder={placeholder}
      />
    </FieldFrame>
  )
}

interface ChoiceFieldProps {
  readonly name: string
  readonly label: string
  /** The labels of the values. */
  readonly choices: Readonly<Record<string, string>>
  /** The current value. */
  readonly value: string | undefined
  onChange?(value: string): void
}

export function ChoiceField({ name, label, choices, value, onChange }: ChoiceFieldProps) {
  const id = useFieldId(name)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} onChange={({ currentTarget }) => onChange?.(currentTarget.value)}>
        {Object.entries(choices).map(([choice, text]) => (
          <option key={choice} value={choice} selected={choice === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

interface NumberFieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** The current value. Undefined for an empty field. */
  readonly value: number | undefined
  readonly min: number
  readonly max: number
  /** Whether it may have decimals. */
  readonly hasDecimals?: boolean
}

/** A number that may be left out. */
export function NumberField({ name, label, hint, value, min, max, hasDecimals = false }: NumberFieldProps) {
  const problem = useFieldProblem(name)
  const attributes = useFieldAttributes(name, hint, problem)
  return (
    <FieldFrame name={name} label={label} hint={hint} problem={problem}>
      <input
        {...attributes}
        type="number"
        min={min}
        max={max}
        step={hasDecimals ? 'any' : 1}
        defaultValue={value === undefined ? '' : String(value)}
      />
    </FieldFrame>
  )
}

interface TextAreaFieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** The current value. */
  readonly value?: string
  /** The height in lines. The user can make it higher. */
  readonly rows: number
  /** Whether the text is code, and is shown in a monospaced font. */
  readonly isCode?: boolean
  readonly isOptional?: boolean
  /** Whether it has the focus at first. */
  readonly hasFocus?: boolean
}

/** A text of several lines. Ctrl Enter and Cmd Enter submit the form. */
export function TextAreaField({
  name,
  label,
  hint,
  value = '',
  rows,
  isCode = false,
  isOptional = false,
  hasFocus = false,
}: TextAreaFieldProps) {
  const problem = useFieldProblem(name)
  const attributes = useFieldAttributes(name, hint, problem)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (hasFocus) area.current?.focus()
  }, [])
  return (
    <FieldFrame name={name} label={label} hint={hint} problem={problem}>
      <textarea
        {...attributes}
        ref={area}
        class={isCode ? 'code-input' : undefined}
        spellcheck={!isCode}
        required={!isOptional}
        rows={rows}
        defaultValue={value}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
    </FieldFrame>
  )
}

interface PasswordFieldProps {
  readonly name: string
  readonly label: string
  /** Whether it is the new password of the account. */
  readonly isNew?: boolean
  /** Whether it belongs to a file, which may have none. Password managers do not fill it in. */
  readonly isOfFile?: boolean
}

/** Pasted text is never truncated: a wrong length is reported. */
export function PasswordField({ name, label, isNew = false, isOfFile = false }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false)
  const problem = useFieldProblem(name)
  const hint = isNew ? texts.rule : undefined
  // Password managers recognize the field by this.
  const autoComplete = isOfFile ? 'off' : isNew ? 'new-password' : 'current-password'
  const common = useFieldAttributes(name, hint, problem)
  return (
    <FieldFrame name={name} label={label} hint={hint} problem={problem}>
      <span class="password-input">
        {isShown ? (
          <input {...common} type="text" required={!isOfFile} autoComplete={autoComplete} />
        ) : (
          <input {...common} type="password" required={!isOfFile} autoComplete={autoComplete} />
        )}
        <button
          type="button"
          class="quiet"
          aria-label={format(isShown ? texts.hideField : texts.showField, { label })}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? texts.hide : texts.show}
        </button>
      </span>
    </FieldFrame>
  )
}

interface FieldFrameProps {
  readonly name: string
  readonly label: string
  readonly hint: string | undefined
  readonly problem: string
  /** The control, with the attributes of `useFieldAttributes`. */
  readonly children: ComponentChildren
}

function FieldFrame({ name, label, hint, problem, children }: FieldFrameProps) {
  const id = useFieldId(name)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} class="problem">
          {problem}
        </p>
      )}
    </div>
  )
}

function useFieldAttributes(name: string, hint: string | undefined, problem: string) {
  const id = useFieldId(name)
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return {
    id,
    name,
    autoCapitalize: 'none',
    spellcheck: false,
    'aria-invalid': problem !== '',
    ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
  } as const
}

/** Password managers read here which account the password belongs to. */
export function UsernameHint({ email }: { readonly email: string }) {
  return <input hidden autoComplete="username" value={email} readOnly />
}

/** Returns a new password as entered. @throws ApiError if it is too short or too long, before a request is sent */
export function readNewPassword(formData: FormData, name: string): string {
  const password = String(formData.get(name) ?? '')
  if (password.length >= 8 && password.length <= 128) return password
  const message = format(texts.wrongLength, { count: password.length })
  throw new ApiError('BAD_USER_INPUT', message, { field: name })
}
