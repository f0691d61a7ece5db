/** The process of an agent that sends one file to an upload, as `clients/agent` does. It may be killed at any time. */
import { type FileToSend, sendFile } from '../../../../../clients/agent/uploads/sendFile.ts'
import { type ClientIdentity, idleMs, retry, runClient } from './clientMessages.ts'

export interface UploadSender extends FileToSend, ClientIdentity {}

await runClient<UploadSender>(({ credential, epoch, ...file }, reports) =>
  sendFile(file, {
    credential: async () => credential,
    epoch: async () => epoch,
    signal: new AbortController().signal,
    ...{ idleMs, retry },
    ...reports,
  }),
)
