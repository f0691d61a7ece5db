/** An agent's process that sends one file, and may be killed at any time. */
import { type FileToSend, sendFile } from '../../../../clients/agent/uploads/sendFile.ts'

export interface SenderOptions extends FileToSend {
  readonly credential: string
  readonly epoch: number
}

export type SenderMessage =
  | { readonly type: 'progress'; readonly stored: number }
  | { readonly type: 'interrupted'; readonly reason: string }
  | { readonly type: 'sent' }
  | { readonly type: 'failed'; readonly message: string }

const { credential, epoch, ...file } = JSON.parse(process.argv[2] ?? '') as SenderOptions
const report = (message: SenderMessage) => process.send?.(message)

try {
  await sendFile(file, {
    credential: async () => credential,
    epoch: async () => epoch,
    signal: new AbortController().signal,
    idleMs: 2_000,
    retry: { firstMs: 50, factor: 2, mostMs: 1_000, jitter: 0.5 },
    onProgress: (stored) => report({ type: 'progress', stored }),
    onInterruption: (reason) => report({ type: 'interrupted', reason }),
  })
  report({ type: 'sent' })
} catch (error) {
  report({ type: 'failed', message: String(error) })
}
process.disconnect?.()
