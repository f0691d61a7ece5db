/** The page on which a person installs an app on the phone. */
import { catalog } from '../../../spec/messages/catalog.ts'
import { format } from '../../../spec/messages/format.ts'
import { bytesFormatOf } from '../../../spec/messages/formatBytes.ts'
import type { View } from '../../../spec/pages/site.ts'
import { html } from '../html.ts'
import { type AssetPaths, renderFrame } from './pageFrame.ts'

export type InstallView = Extract<View, { page: 'install' }>

export function renderInstallPage(view: InstallView, paths: AssetPaths): string {
  const { install } = catalog[view.locale].pages
  const { title, version, build, size, href, platform } = view
  const facts = [
    ...(version === null ? [] : [format(install.version, { version })]),
    build,
    bytesFormatOf(view.locale)(size),
  ]
  const main = html`<h1>${title}</h1>
<p class="lead">${facts.join(' · ')}</p>
<p><a class="primary" href="${href}">${install.submit}</a></p>
<p class="other">${platform === 'IOS' ? install.iosHint : install.androidHint}</p>`
  return renderFrame(paths, { setting: view, title, signal: 'clear', main })
}
