/** The fields of a form. Each problem is shown beside its field, and the first invalid field gets the focus. */

import { format } from '../../../spec/messages/format.ts'
import type { ProblemName } from '../../../spec/messages/problems.ts'
import type { AuthPageData } from '../pages/pageData.ts'
import { getElement } from './page.ts'

/** The server's rule for a new password, in the same unit. */
const passwordLength = { min: 8, max: 128 } as const

export function listInputs(form: HTMLFormElement): readonly HTMLInputElement[] {
  return [...form.elements].filter((element) => element instanceof HTMLInputElement)
}

function findProblem(input: HTMLInputElement): ProblemName | undefined {
  const { name, value } = input
  if (name === 'name') return value.trim() === '' ? 'nameMissing' : undefined
  if (name === 'email') return value.trim() === '' ? 'emailMissing' : input.validity.valid ? undefined : 'emailInvalid'
  if (value === '') return 'passwordMissing'
  const { min, max } = passwordLength
  const isValidLength = value.length >= min && value.length <= max
  // The page cannot check whether a password is that of the account.
  return input.autocomplete === 'new-password' && !isValidLength ? 'passwordLength' : undefined
}

export function showFieldProblem(input: HTMLInputElement, text: string): void {
  getElement(`#${input.id}-problem`, HTMLElement).textContent = text
  if (text === '') input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}

/** @returns whether the form can be sent */
export function validateForm(form: HTMLFormElement, { problems, locale }: AuthPageData): boolean {
  const invalid = listInputs(form).filter((input) => {
    const problem = findProblem(input)
    const length = new Intl.NumberFormat(locale).format(input.value.length)
    showFieldProblem(input, problem === undefined ? '' : format(problems[problem], { length }))
    return problem !== undefined
  })
  invalid[0]?.focus()
  return invalid.length === 0
}

/** Clears a problem when its field changes. */
export function clearProblemsOnInput(form: HTMLFormElement): void {
  for (const input of listInputs(form)) input.addEventListener('input', () => showFieldProblem(input, ''))
}

export function enablePasswordToggle(
  button: HTMLButtonElement,
  input: HTMLInputElement,
  { show, hide }: AuthPageData,
): void {
  button.disabled = false
  button.addEventListener('click', () => {
    const isShown = input.type === 'password'
    input.type = isShown ? 'text' : 'password'
    button.dataset.shown = String(isShown)
    button.title = isShown ? hide : show
    button.setAttribute('aria-label', button.title)
  })
}
