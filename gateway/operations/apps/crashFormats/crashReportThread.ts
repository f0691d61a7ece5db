/** A thread that reads crash reports, one after the other. */
import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { Failure } from '../../../../spec/core/failure.ts'
import { checkCrashReport, type SentCrashReport } from './checkCrashReport.ts'
import type { CrashReportAnswer, FromCrashReportThread } from './crashReportReader.ts'

const port = parentPort
if (port === null) throw new Error('this file can run only as a worker thread')

port.on('message', async (sent: SentCrashReport) => {
  const answer = await answerTo(sent)
  // The heap as it is before a garbage collection.
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  port.postMessage({ ...answer, memory: heap + external } satisfies FromCrashReportThread)
})

async function answerTo(sent: SentCrashReport): Promise<CrashReportAnswer> {
  try {
    return { type: 'checked', checked: await checkCrashReport(sent) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { code, message, details } = error
    return { type: 'refused', code, message, details }
  }
}
