/** A thread that reads crash reports, one after the other. */
import { parentPort } from 'node:worker_threads'
import { Failure } from '../../../../spec/core/failure.ts'
import { checkCrashReport, type SentCrashReport } from './checkCrashReport.ts'
import type { FromCrashReportThread } from './crashReportReader.ts'

const port = parentPort
if (port === null) throw new Error('this file can run only as a worker thread')

port.on('message', async (sent: SentCrashReport) => {
  port.postMessage(await answerTo(sent))
})

async function answerTo(sent: SentCrashReport): Promise<FromCrashReportThread> {
  try {
    return { type: 'checked', checked: await checkCrashReport(sent) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { code, message, details } = error
    return { type: 'refused', code, message, details }
  }
}
