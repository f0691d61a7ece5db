/** A page for an error, with what to do. */

import { catalog } from '../../../spec/messages/catalog.ts'
import { format, formatDelay } from '../../../spec/messages/format.ts'
import { type ProblemName, problemOf } from '../../../spec/messages/problems.ts'
import { pathOf } from '../../../spec/pages/pagePaths.ts'
import type { View } from '../../../spec/pages/site.ts'
import { html } from '../html.ts'
import { type AssetPaths, renderFrame } from './pageFrame.ts'

export type ProblemView = Extract<View, { page: 'problem' }>

/** Codes that have another meaning for a page than for a form. */
const pageProblems: Readonly<Record<string, ProblemName>> = {
  NOT_FOUND: 'notFound',
  UNAVAILABLE: 'notNow',
  UNAUTHENTICATED: 'unknown',
}

export function renderProblemPage(view: ProblemView, paths: AssetPaths): string {
  const { problems, problemPages, toHome, requestId } = catalog[view.locale].pages
  const values = { when: formatDelay(5, view.locale), requestId: view.requestId }
  const name = pageProblems[view.code] ?? problemOf(view.code) ?? 'unknown'
  const title = name === 'notFound' || name === 'notNow' ? problemPages[name] : problemPages.failed
  const main = html`<p class="status">${view.status}</p>
<h1>${title}</h1>
<p class="lead">${format(problems[name], values)}</p>
<p><a class="primary" href="${pathOf('home', view)}">${toHome}</a></p>
<p class="other">${format(requestId, values)}</p>`
  return renderFrame(paths, { setting: view, title, signal: 'stop', main })
}
