/** The pages for signing in and registering. */

import { catalog } from '../../../spec/messages/catalog.ts'
import { format, formatDelay } from '../../../spec/messages/format.ts'
import type { PageMessages } from '../../../spec/messages/messages.ts'
import { problemOf } from '../../../spec/messages/problems.ts'
import { pathOf, withTarget } from '../../../spec/pages/pagePaths.ts'
import type { View } from '../../../spec/pages/site.ts'
import { embedData, type Html, html } from '../html.ts'
import { renderEmailField, renderNameField, renderNewPasswordField, renderPasswordField } from './fields.ts'
import type { AuthPageData } from './pageData.ts'
import { type AssetPaths, renderFrame } from './pageFrame.ts'

export type AuthView = Extract<View, { page: 'signIn' | 'register' }>

export function renderAuthPage(view: AuthView, paths: AssetPaths): string {
  const messages = catalog[view.locale].pages
  const signal = view.problem === undefined ? 'caution' : 'stop'
  const common = { setting: view, page: view.page, target: view.target, signal } as const
  if (view.page === 'register' && !view.registrationOpen)
    return renderFrame(paths, {
      ...common,
      signal: 'stop',
      title: messages.register.closedTitle,
      main: renderClosed(view, messages),
    })
  const { title, lead } = getHeading(view, messages)
  const main = html`<h1>${title}</h1>
<p class="lead">${lead}</p>
<noscript><p class="message">${messages.noScript}</p></noscript>
<p class="message" id="message" role="alert" tabindex="-1">${view.problem !== undefined && formatProblem(view.problem, view, messages)}</p>
${view.ways.password && renderForm(view, messages)}
${view.ways.password && view.ways.provider && html`<p class="or"><span>${messages.provider.or}</span></p>`}
${view.ways.provider && renderProviderButton(view, messages)}
<p class="other">${renderOtherPageLink(view, messages)}</p>
${embedData('page-data', createPageData(view, messages))}`
  return renderFrame(paths, { ...common, title, script: paths.authScript, main })
}

function getHeading({ page, first }: AuthView, { signIn, register }: PageMessages): { title: string; lead: string } {
  if (page === 'signIn') return signIn
  return first ? { title: register.firstTitle, lead: register.firstLead } : register
}

function renderForm({ page, problem }: AuthView, messages: PageMessages): Html {
  // If there is a message, it has the focus.
  const autofocus = problem === undefined
  const fields =
    page === 'signIn'
      ? [renderEmailField(messages, autofocus), renderPasswordField(messages)]
      : [renderNameField(messages, autofocus), renderEmailField(messages, false), renderNewPasswordField(messages)]
  // Without its script, the form cannot be submitted. It is never submitted with GET, which would put the password into the URL.
  return html`<form id="account" method="post" novalidate data-way="${page}">
${fields}
<button type="submit" class="primary" disabled>${messages[page].submit}</button>
</form>`
}

function renderProviderButton({ page, ways }: AuthView, messages: PageMessages): Html | undefined {
  const { provider } = ways
  if (provider === undefined) return undefined
  const label = format(messages.provider[page], { provider: provider.name })
  return html`<button type="button" class="${ways.password ? 'secondary' : 'primary'}" id="provider" data-provider="${provider.id}" disabled>${label}</button>`
}

function renderOtherPageLink(view: AuthView, { signIn, register }: PageMessages): Html | string | false {
  const link = (page: 'signIn' | 'register', text: string) =>
    html`<a href="${withTarget(pathOf(page, view), view.target)}">${text}</a>`
  if (view.page === 'register') return !view.first && link('signIn', register.toSignIn)
  return view.registrationOpen ? link('register', signIn.toRegister) : signIn.closed
}

function renderClosed(view: AuthView, { register }: PageMessages): Html {
  const href = withTarget(pathOf('signIn', view), view.target)
  return html`<h1>${register.closedTitle}</h1>
<p class="lead">${register.closedLead}</p>
<p><a class="primary" href="${href}">${register.toSignIn}</a></p>`
}

/** A code in a URL selects a text and is never shown itself, because anyone can write a URL. */
function formatProblem(code: string, { locale }: AuthView, { problems }: PageMessages): string {
  return format(problems[problemOf(code) ?? 'signInFailed'], { when: formatDelay(60, locale) })
}

function createPageData(view: AuthView, messages: PageMessages): AuthPageData {
  return {
    locale: view.locale,
    target: view.target ?? pathOf('home', view),
    back: withTarget(pathOf(view.page, view), view.target),
    providerBusy: format(messages.provider.busy, { provider: view.ways.provider?.name ?? '' }),
    busy: messages[view.page].busy,
    show: messages.fields.show,
    hide: messages.fields.hide,
    problems: messages.problems,
  }
}
