/** A worker thread that writes one file. Fonts, line breaks and dates would block the main thread, which answers all requests. */
import { parentPort, workerData } from 'node:worker_threads'
import type { StoredTelemetry } from '../../../../spec/telemetry/record.ts'
import type { ExportJob, FromRenderer, ToRenderer } from './job.ts'
import { Renderer } from './renderer.ts'

const renderer = new Renderer(workerData as ExportJob)
const port = parentPort
if (port === null) throw new Error('this file can run only as a worker thread')

const send = (message: FromRenderer, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)

port.on('message', (message: ToRenderer) => {
  if (message.type === 'records') {
    renderer.add(JSON.parse(message.json) as readonly StoredTelemetry[])
    send({ type: 'more' })
    return
  }
  void renderer.end(message.cut).then((made) => {
    // A copy in a buffer of its own: Node's pooled buffers cannot be transferred.
    const file = new Uint8Array(made)
    // The receiver of the file terminates this thread. If the thread ended itself, its exit could arrive before the file.
    send({ type: 'file', file }, [file.buffer])
  })
})
