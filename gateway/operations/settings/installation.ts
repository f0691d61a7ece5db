import { installationStatus } from '../../../spec/settings/installation.ts'
import { handle } from '../handler.ts'

export const installationHandlers = [
  handle(installationStatus, ['installation'], {
    read: (_input, { installation }) => installation(),
  }),
]
