/** The program in the same configuration as with `npm start`, with the embedded database and the log level `info`. */

import { openLog } from '../../../../gateway/observability/log.ts'
import { startSignalbox } from '../../../../main.ts'
import { readSettings } from '../../../../settings.ts'
import { contenderOptions, serve } from '../support/contender.ts'

export interface SignalboxOptions {
  readonly dataDir: string
  readonly port: number
  readonly agentPort: number
}

const { dataDir, port, agentPort } = contenderOptions<SignalboxOptions>()
const settings = readSettings({
  DATA_DIR: dataDir,
  PORT: String(port),
  AGENT_WS_PORT: String(agentPort),
  LOCAL_AGENT: 'off',
  LOG_FORMAT: 'json',
})
// Limits that a bench would exceed are raised.
const limits = {
  ...settings.limits,
  graphqlPointsPer5Minutes: 1e12,
  toolCallsPerMinute: 1e12,
  toolCallsAtOnce: 10_000,
}
const signalbox = await startSignalbox({ ...settings, limits }, openLog(settings))
serve({ port, stop: () => signalbox.stop() })
