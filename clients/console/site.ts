/** The site that the gateway serves. */
import type { Site, View } from '../../spec/pages/site.ts'
import { buildAssets } from './assets.ts'
import { consolePage } from './pages/console.ts'
import type { Hrefs } from './pages/frame.ts'
import { gatePage } from './pages/gate.ts'
import { problemPage } from './pages/problem.ts'

let site: Promise<Site> | undefined

/** Created once for the process. */
export function openSite(): Promise<Site> {
  site ??= makeSite()
  return site
}

async function makeSite(): Promise<Site> {
  const { assets, hrefs } = await buildAssets()
  return { assets, render: (view) => render(view, hrefs) }
}

function render(view: View, hrefs: Hrefs): string {
  switch (view.page) {
    case 'signIn':
    case 'register':
      return gatePage(view, hrefs)
    case 'console':
      return consolePage(view, hrefs)
    case 'problem':
      return problemPage(view, hrefs)
  }
}
