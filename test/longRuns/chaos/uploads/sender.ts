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
// A run that failed leaves its senders, which then end.
process.on('disconnect', () => process.exit(1))
const report = (message: SenderMessage) =>
  new Promise<void>((resolve) => {
    process.send?.(message, () => resolve())
  })

try {
  await sendFile(file, {
    credential: async () => credential,
    epoch: async () => epoch,
    signal: new AbortController().signal,
    idleMs: 2_000,
    retry: { firstMs: 50, factor: 2, mostMs: 1_000, jitter: 0.5 },
    onProgress: (stored) => void report({ type: 'progress', stored }),
    onInterruption: (reason) => void report({ type: 'interrupted', reason }),
  })
  await report({ type: 'sent' })
} catch (error) {
  await report({ type: 'failed', message: String(error) })
}
process.exit(0)
