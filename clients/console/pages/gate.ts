/** The pages for signing in and registering. */

import { pathOf, withTarget } from '../../../spec/pages/pagePaths.ts'
import type { View } from '../../../spec/pages/site.ts'
import { data, type Html, html } from '../html.ts'
import { filled } from '../words/filled.ts'
import { problemOf } from '../words/problemOf.ts'
import { when } from '../words/when.ts'
import type { Words } from '../words/words.ts'
import { wordsOf } from '../words/wordsOf.ts'
import type { GateFacts } from './facts.ts'
import { emailField, nameField, newPasswordField, passwordField } from './fields.ts'
import { framed, type Hrefs } from './frame.ts'

export type GateView = Extract<View, { page: 'signIn' | 'register' }>

export function gatePage(view: GateView, hrefs: Hrefs): string {
  const words = wordsOf[view.locale]
  const signal = view.problem === undefined ? 'caution' : 'stop'
  const common = { setting: view, page: view.page, target: view.target, signal } as const
  if (view.page === 'register' && !view.registrationOpen)
    return framed(hrefs, { ...common, signal: 'stop', title: words.register.closedTitle, main: closed(view, words) })
  const { title, lead } = saying(view, words)
  const main = html`<h1>${title}</h1>
<p class="lead">${lead}</p>
<noscript><p class="message">${words.noScript}</p></noscript>
<p class="message" id="message" role="alert" tabindex="-1">${view.problem !== undefined && problemWords(view.problem, view, words)}</p>
${view.ways.password && form(view, words)}
${view.ways.password && view.ways.provider && html`<p class="or"><span>${words.provider.or}</span></p>`}
${view.ways.provider && providerButton(view, words)}
<p class="other">${otherPage(view, words)}</p>
${data('facts', factsOf(view, words))}`
  return framed(hrefs, { ...common, title, script: hrefs.gate, main })
}

function saying({ page, first }: GateView, { signIn, register }: Words): { title: string; lead: string } {
  if (page === 'signIn') return signIn
  return first ? { title: register.firstTitle, lead: register.firstLead } : register
}

function form({ page, problem }: GateView, words: Words): Html {
  // If there is a message, it has the focus.
  const autofocus = problem === undefined
  const fields =
    page === 'signIn'
      ? [emailField(words, autofocus), passwordField(words)]
      : [nameField(words, autofocus), emailField(words, false), newPasswordField(words)]
  // Without its script, the form cannot be submitted. It is never submitted with GET, which would put the password into the URL.
  return html`<form id="account" method="post" novalidate data-way="${page}">
${fields}
<button type="submit" class="primary" disabled>${words[page].submit}</button>
</form>`
}

function providerButton({ page, ways }: GateView, words: Words): Html | undefined {
  const { provider } = ways
  if (provider === undefined) return undefined
  const label = filled(words.provider[page], { provider: provider.name })
  return html`<button type="button" class="${ways.password ? 'secondary' : 'primary'}" id="provider" data-provider="${provider.id}" disabled>${label}</button>`
}

function otherPage(view: GateView, { signIn, register }: Words): Html | string | false {
  const link = (page: 'signIn' | 'register', text: string) =>
    html`<a href="${withTarget(pathOf(page, view), view.target)}">${text}</a>`
  if (view.page === 'register') return !view.first && link('signIn', register.toSignIn)
  return view.registrationOpen ? link('register', signIn.toRegister) : signIn.closed
}

function closed(view: GateView, { register }: Words): Html {
  const href = withTarget(pathOf('signIn', view), view.target)
  return html`<h1>${register.closedTitle}</h1>
<p class="lead">${register.closedLead}</p>
<p><a class="primary" href="${href}">${register.toSignIn}</a></p>`
}

/** A code in a URL selects a text and is never shown itself, because anyone can write a URL. */
function problemWords(code: string, { locale }: GateView, { problems }: Words): string {
  return filled(problems[problemOf(code) ?? 'signInFailed'], { when: when(60, locale) })
}

function factsOf(view: GateView, words: Words): GateFacts {
  return {
    locale: view.locale,
    target: view.target ?? pathOf('home', view),
    back: withTarget(pathOf(view.page, view), view.target),
    providerBusy: filled(words.provider.busy, { provider: view.ways.provider?.name ?? '' }),
    busy: words[view.page].busy,
    show: words.fields.show,
    hide: words.fields.hide,
    problems: words.problems,
  }
}
