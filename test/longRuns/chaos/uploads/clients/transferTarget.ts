/** The process of an agent that downloads the file of one transfer, as `clients/agent` does. It may be killed at any time. */
import { downloadFile, type FileToDownload } from '../../../../../clients/agent/deployments/downloadFile.ts'
import { type ClientIdentity, idleMs, retry, runClient } from './clientMessages.ts'

export interface TransferTarget extends FileToDownload, ClientIdentity {}

await runClient<TransferTarget>(({ credential, epoch, ...file }, reports) =>
  downloadFile(file, {
    credential: async () => credential,
    epoch: async () => epoch,
    signal: new AbortController().signal,
    ...{ idleMs, retry },
    ...reports,
  }),
)
