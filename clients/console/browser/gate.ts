/** The script of the pages for sign-in and registration. */
import type { GateFacts } from '../pages/facts.ts'
import { type Answered, ask } from './ask.ts'
import { check, forgiving, inputsOf, revealing, tell } from './fields.ts'
import { facts, neverFromMemory, part, perhaps, say, signal } from './page.ts'

const known = facts<GateFacts>()
const form = perhaps('#account', HTMLFormElement)
const submit = perhaps('#account button[type=submit]', HTMLButtonElement)
const provider = perhaps('#provider', HTMLButtonElement)
const buttons = [submit, provider].filter((button) => button !== undefined)
const paths = { signIn: '/api/auth/sign-in/email', register: '/api/auth/sign-up/email' } as const

/** While a request is in flight, no other can start. */
async function under(button: HTMLButtonElement, busy: string, work: () => Promise<boolean>): Promise<void> {
  const label = button.textContent
  for (const one of buttons) one.disabled = true
  button.setAttribute('aria-busy', 'true')
  button.textContent = busy
  say('')
  signal('busy')
  const leaving = await work()
  signal(leaving ? 'clear' : 'stop')
  if (leaving) return
  button.removeAttribute('aria-busy')
  button.textContent = label
  for (const one of buttons) one.disabled = false
}

async function account(form: HTMLFormElement): Promise<boolean> {
  const path = form.dataset.way === 'register' ? paths.register : paths.signIn
  const inputs = inputsOf(form)
  const answer = await ask(path, Object.fromEntries(inputs.map(bodyField)), known)
  if (answer.refused === undefined) return go(known.target)
  const { name, text, field } = answer.refused
  const about = inputs.find((input) => input.name === field)
  if (about) tell(about, text)
  else say(text)
  const next = about ?? (name === 'wrongPassword' ? inputs.find(({ name }) => name === 'password') : undefined)
  if (next) focusAll(next)
  else part('#message', HTMLElement).focus()
  return false
}

/** Spaces around a name are removed. A password is sent unchanged. */
function bodyField({ name, value }: HTMLInputElement): readonly [string, string] {
  return [name, name === 'password' ? value : value.trim()]
}

function focusAll(input: HTMLInputElement): void {
  input.focus()
  input.select()
}

async function atProvider(providerId: string): Promise<boolean> {
  const body = { providerId, callbackURL: known.target, errorCallbackURL: known.back }
  const answer: Answered = await ask('/api/auth/sign-in/oauth2', body, known)
  if (answer.refused === undefined && typeof answer.body.url === 'string') {
    location.assign(answer.body.url)
    return true
  }
  say(answer.refused?.text ?? known.problems.signInFailed)
  return false
}

/** The form is replaced in the history, because going back would only lead here again. */
function go(target: string): true {
  location.replace(target)
  return true
}

neverFromMemory()
for (const button of buttons) button.disabled = false

if (form && submit) {
  forgiving(form)
  revealing(part('#reveal', HTMLButtonElement), part('#password', HTMLInputElement), known)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (submit.disabled) return
    say('')
    if (check(form, known)) void under(submit, known.busy, () => account(form))
    else signal('stop')
  })
}

provider?.addEventListener('click', () => {
  void under(provider, known.providerBusy, () => atProvider(provider.dataset.provider ?? ''))
})

addEventListener('offline', () => say(known.problems.disconnected))
addEventListener('online', () => say(''))

const message = part('#message', HTMLElement)
if (message.textContent !== '') {
  message.focus()
  // A reload or a bookmark starts a new attempt.
  history.replaceState(null, '', known.back)
}
