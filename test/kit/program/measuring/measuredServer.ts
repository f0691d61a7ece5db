/** The program in a process of its own that reports its memory and its processor time on request. `measuredProgram.ts` runs it. */

import { openLog } from '../../../../gateway/observability/log.ts'
import { startSignalbox } from '../../../../main.ts'
import { readSettings } from '../../../../settings.ts'
import { beMeasured } from './measuring.ts'

const settings = readSettings(process.env)
const log = openLog(settings)
const signalbox = await startSignalbox(settings, log)
void signalbox.failed.then((reason) => {
  log.error({ reason }, 'the database failed')
  process.exit(1)
})
beMeasured(signalbox)
