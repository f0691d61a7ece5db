/** The site that the gateway serves. */
import type { Site, View } from '../../spec/pages/site.ts'
import { buildAssets } from './assets.ts'
import { ChartLayouts } from './layouts/chartLayouts.ts'
import { renderAuthPage } from './pages/authPage.ts'
import { renderConsolePage } from './pages/consolePage.ts'
import { renderInstallPage } from './pages/installPage.ts'
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
  const layouts = new ChartLayouts()
  return {
    assets,
    findChartLayout: (request, definition) => layouts.find(request, definition),
    render: (view) => render(view, paths),
  }
}

function render(view: View, paths: AssetPaths): string {
  switch (view.page) {
    case 'signIn':
    case 'register':
      return renderAuthPage(view, paths)
    case 'console':
      return renderConsolePage(view, paths)
    case 'install':
      return renderInstallPage(view, paths)
    case 'problem':
      return renderProblemPage(view, paths)
  }
}
