/** Who is signed in, and where to go on. */

import { pathOf } from '../../../spec/pagePaths.ts'
import type { View } from '../../../spec/site.ts'
import { data, html } from '../html.ts'
import { filled } from '../words/filled.ts'
import { wordsOf } from '../words/wordsOf.ts'
import type { HomeFacts } from './facts.ts'
import { framed, type Hrefs } from './frame.ts'

export type HomeView = Extract<View, { page: 'home' }>

export function homePage(view: HomeView, hrefs: Hrefs): string {
  const { home, problems } = wordsOf[view.locale]
  const facts: HomeFacts = {
    locale: view.locale,
    signIn: pathOf('signIn', view),
    busy: home.busy,
    problems,
  }
  const places = [
    ...(view.sandbox ? [{ href: '/api/graphql', title: home.graphiql, note: home.graphiqlNote }] : []),
    { href: '/api/openapi.json', title: home.openApi, note: home.openApiNote },
  ]
  const main = html`<h1>${filled(home.greeting, { name: view.name })}</h1>
<p class="lead" id="who">${filled(home.signedInAs, { email: view.email })}</p>
<p class="message" id="message" role="alert" tabindex="-1"></p>
<p>${home.lead}</p>
<ul class="places">${places.map(({ href, title, note }) => html`<li><a href="${href}">${title}</a><p>${note}</p></li>`)}</ul>
<button type="button" class="secondary" id="sign-out" disabled>${home.signOut}</button>
${data('facts', facts)}`
  return framed(hrefs, { setting: view, title: home.title, script: hrefs.home, signal: 'clear', main })
}
