/** The console: one page that renders the view of the address with data from the public API. */
import { render } from 'preact'
import { facts, neverFromMemory, part } from '../browser/page.ts'
import type { ConsoleFacts } from '../pages/facts.ts'
import { startEngineOnInterest } from './chart/layoutEngine.ts'
import { Shell } from './parts/Shell.tsx'
import { followLinks } from './router.ts'

neverFromMemory()
followLinks()
const app = part('#app', HTMLElement)
app.replaceChildren()
render(<Shell who={facts<ConsoleFacts>()} />, app)
startEngineOnInterest()
