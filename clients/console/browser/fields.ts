/** The fields of a form. Each problem is shown beside its field, and the first invalid field gets the focus. */
import { format } from '../../../spec/messages/format.ts'
import type { ProblemName } from '../../../spec/messages/problems.ts'
import type { GateFacts } from '../pages/facts.ts'
import { part } from './page.ts'

/** The server's rule for a new password, in the same unit. */
const passwordLength = { min: 8, max: 128 } as const

export function inputsOf(form: HTMLFormElement): readonly HTMLInputElement[] {
  return [...form.elements].filter((element) => element instanceof HTMLInputElement)
}

function problemWith(input: HTMLInputElement): ProblemName | undefined {
  const { name, value } = input
  if (name === 'name') return value.trim() === '' ? 'nameMissing' : undefined
  if (name === 'email') return value.trim() === '' ? 'emailMissing' : input.validity.valid ? undefined : 'emailInvalid'
  if (value === '') return 'passwordMissing'
  const { min, max } = passwordLength
  const fits = value.length >= min && value.length <= max
  // The page cannot check whether a password is that of the account.
  return input.autocomplete === 'new-password' && !fits ? 'passwordLength' : undefined
}

export function tell(input: HTMLInputElement, text: string): void {
  part(`#${input.id}-problem`, HTMLElement).textContent = text
  if (text === '') input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}

/** @returns whether the form can be sent */
export function check(form: HTMLFormElement, { problems, locale }: GateFacts): boolean {
  const wrong = inputsOf(form).filter((input) => {
    const problem = problemWith(input)
    const length = new Intl.NumberFormat(locale).format(input.value.length)
    tell(input, problem === undefined ? '' : format(problems[problem], { length }))
    return problem !== undefined
  })
  wrong[0]?.focus()
  return wrong.length === 0
}

/** Clears a problem when its field changes. */
export function forgiving(form: HTMLFormElement): void {
  for (const input of inputsOf(form)) input.addEventListener('input', () => tell(input, ''))
}

export function revealing(button: HTMLButtonElement, input: HTMLInputElement, { show, hide }: GateFacts): void {
  button.disabled = false
  button.addEventListener('click', () => {
    const shown = input.type === 'password'
    input.type = shown ? 'text' : 'password'
    button.dataset.shown = String(shown)
    button.title = shown ? hide : show
    button.setAttribute('aria-label', button.title)
  })
}
