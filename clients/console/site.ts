/** The site that the gateway serves. */
import type { Site, View } from '../../spec/pages/site.ts'
import { buildAssets } from './assets.ts'
import { renderAuthPage } from './pages/authPage.ts'
import { renderConsolePage } from './pages/consolePage.ts'
import type { AssetPaths } from './pages/pageFrame.ts'
import { renderProblemPage } from './pages/problemPage.ts'

let site: Promise<Site> | undefined

/** Created once for the process. */
export function openSite(): Promise<Site> {
  site ??= makeSite()
  return site
}

async function makeSite(): Promise<Site> {
  const { assets, paths } = await buildAssets()
  return { assets, render: (view) => render(view, paths) }
}

function render(view: View, paths: AssetPaths): string {
  switch (view.page) {
    case 'signIn':
    case 'register':
      return renderAuthPage(view, paths)
    case 'console':
      return renderConsolePage(view, paths)
    case 'problem':
      return renderProblemPage(view, paths)
  }
}
