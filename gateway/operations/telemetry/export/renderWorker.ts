/** A thread that makes one file: fonts, lines and dates cost too much for the one that answers everybody. */
import { parentPort, workerData } from 'node:worker_threads'
import type { StoredTelemetry } from '../../../../spec/telemetry/record.ts'
import type { ExportJob, FromRenderer, ToRenderer } from './job.ts'
import { Renderer } from './renderer.ts'

const renderer = new Renderer(workerData as ExportJob)
const port = parentPort
if (port === null) throw new Error('this file is the body of a thread')

const tell = (message: FromRenderer, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)

port.on('message', (message: ToRenderer) => {
  if (message.type === 'records') {
    renderer.add(JSON.parse(message.json) as readonly StoredTelemetry[])
    tell({ type: 'more' })
    return
  }
  void renderer.end(message.cut).then((made) => {
    // A buffer of its own: what Node pools can't be given away.
    const file = new Uint8Array(made)
    // It is ended by who takes the file: an end of its own could overtake it.
    tell({ type: 'file', file }, [file.buffer])
  })
})
