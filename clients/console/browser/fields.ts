/** The fields of a form: what is wrong with each is said beside it, and the first of them takes the focus. */
import type { GateFacts } from '../pages/facts.ts'
import { filled } from '../words/filled.ts'
import type { ProblemName } from '../words/words.ts'
import { part } from './page.ts'

/** What the server asks of a new password, counted as it counts. */
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
  // Whether a password is the account's is not for the page to say.
  return input.autocomplete === 'new-password' && !fits ? 'passwordLength' : undefined
}

export function tell(input: HTMLInputElement, words: string): void {
  part(`#${input.id}-problem`, HTMLElement).textContent = words
  if (words === '') input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}

/** @returns whether the form can be sent */
export function check(form: HTMLFormElement, { problems, locale }: GateFacts): boolean {
  const wrong = inputsOf(form).filter((input) => {
    const problem = problemWith(input)
    const length = new Intl.NumberFormat(locale).format(input.value.length)
    tell(input, problem === undefined ? '' : filled(problems[problem], { length }))
    return problem !== undefined
  })
  wrong[0]?.focus()
  return wrong.length === 0
}

/** A complaint goes when what it is about is changed. */
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
