/** The console: one page that renders the view of the address with data from the public API. */
import { render } from 'preact'
import { getElement, readPageData, reloadWhenRestored } from '../browser/page.ts'
import type { ConsolePageData } from '../pages/pageData.ts'
import { watchInbox } from './inbox/inboxNotifications.ts'
import { startRouting } from './router.ts'
import { preloadViews } from './shell/lazyView.tsx'
import { Shell } from './shell/Shell.tsx'
import { startClock } from './state/clockStore.ts'
import { sessionStore } from './state/sessionStore.ts'
import { watchViewport } from './state/viewportStore.ts'

reloadWhenRestored()
const { name, email, ...pageData } = readPageData<ConsolePageData>()
sessionStore.trigger.started({ user: { name, email } })
startRouting()
startClock()
watchViewport()
watchInbox()
const app = getElement('#app', HTMLElement)
app.replaceChildren()
render(<Shell signInPath={pageData.signIn} hasSandbox={pageData.sandbox} />, app)
preloadViews()
