/** The script of the first page: signing out. */
import type { HomeFacts } from '../pages/facts.ts'
import { ask } from './ask.ts'
import { facts, neverFromMemory, part, say, signal } from './page.ts'

const known = facts<HomeFacts>()
const button = part('#sign-out', HTMLButtonElement)
const label = button.textContent

neverFromMemory()
button.disabled = false
button.addEventListener('click', async () => {
  button.disabled = true
  button.textContent = known.busy
  say('')
  const { refused } = await ask('/api/auth/sign-out', {}, known)
  if (refused === undefined) return location.replace(known.signIn)
  signal('stop')
  say(refused.words)
  button.textContent = label
  button.disabled = false
  button.focus()
})
