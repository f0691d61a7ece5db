/** The script of the pages for sign-in and registration. */
import type { AuthPageData } from '../pages/pageData.ts'
import { type AuthResult, postAuthRequest } from './authRequest.ts'
import { clearProblemsOnInput, enablePasswordToggle, listInputs, showFieldProblem, validateForm } from './formFields.ts'
import { findElement, getElement, readPageData, reloadWhenRestored, showFormState, showMessage } from './page.ts'

const pageData = readPageData<AuthPageData>()
const form = findElement('#account', HTMLFormElement)
const submit = findElement('#account button[type=submit]', HTMLButtonElement)
const provider = findElement('#provider', HTMLButtonElement)
const buttons = [submit, provider].filter((button) => button !== undefined)
const paths = { signIn: '/api/auth/sign-in/email', register: '/api/auth/sign-up/email' } as const

/** While a request is in flight, no other can start. */
async function runWithButton(button: HTMLButtonElement, busy: string, work: () => Promise<boolean>): Promise<void> {
  const label = button.textContent
  for (const other of buttons) other.disabled = true
  button.setAttribute('aria-busy', 'true')
  button.textContent = busy
  showMessage('')
  showFormState('busy')
  const isLeaving = await work()
  showFormState(isLeaving ? 'clear' : 'stop')
  if (isLeaving) return
  button.removeAttribute('aria-busy')
  button.textContent = label
  for (const other of buttons) other.disabled = false
}

async function submitAccount(form: HTMLFormElement): Promise<boolean> {
  const path = form.dataset.way === 'register' ? paths.register : paths.signIn
  const inputs = listInputs(form)
  const result = await postAuthRequest(path, Object.fromEntries(inputs.map(toBodyField)), pageData)
  if (result.problem === undefined) return leavePage(pageData.target)
  const { name, text, field } = result.problem
  const invalidInput = inputs.find((input) => input.name === field)
  if (invalidInput) showFieldProblem(invalidInput, text)
  else showMessage(text)
  const nextInput =
    invalidInput ?? (name === 'wrongPassword' ? inputs.find(({ name }) => name === 'password') : undefined)
  if (nextInput) focusAndSelect(nextInput)
  else getElement('#message', HTMLElement).focus()
  return false
}

/** Spaces around a name are removed. A password is sent unchanged. */
function toBodyField({ name, value }: HTMLInputElement): readonly [string, string] {
  return [name, name === 'password' ? value : value.trim()]
}

function focusAndSelect(input: HTMLInputElement): void {
  input.focus()
  input.select()
}

async function startProviderSignIn(providerId: string): Promise<boolean> {
  const body = { providerId, callbackURL: pageData.target, errorCallbackURL: pageData.back }
  const result: AuthResult = await postAuthRequest('/api/auth/sign-in/oauth2', body, pageData)
  if (result.problem === undefined && typeof result.body.url === 'string') {
    location.assign(result.body.url)
    return true
  }
  showMessage(result.problem?.text ?? pageData.problems.signInFailed)
  return false
}

/** The form is replaced in the history, because going back would only lead here again. */
function leavePage(target: string): true {
  location.replace(target)
  return true
}

reloadWhenRestored()
for (const button of buttons) button.disabled = false

if (form && submit) {
  clearProblemsOnInput(form)
  enablePasswordToggle(getElement('#reveal', HTMLButtonElement), getElement('#password', HTMLInputElement), pageData)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (submit.disabled) return
    showMessage('')
    if (validateForm(form, pageData)) void runWithButton(submit, pageData.busy, () => submitAccount(form))
    else showFormState('stop')
  })
}

provider?.addEventListener('click', () => {
  void runWithButton(provider, pageData.providerBusy, () => startProviderSignIn(provider.dataset.provider ?? ''))
})

addEventListener('offline', () => showMessage(pageData.problems.disconnected))
addEventListener('online', () => showMessage(''))

const message = getElement('#message', HTMLElement)
if (message.textContent !== '') {
  message.focus()
  // A reload or a bookmark starts a new attempt.
  history.replaceState(null, '', pageData.back)
}
