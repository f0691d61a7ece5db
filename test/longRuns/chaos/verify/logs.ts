/** Logs have each acknowledged chunk once, in order, with its own content. Every log continues after the faults. */
import { jobLogStream } from '../../../../machines/agents/jobKeys.ts'
import type { Checker } from './evidence.ts'

/** A log without an acknowledgment in the last part of the load has stopped, ms. */
const quietMs = 4_000

export const logsStand: Checker = async ({ agents, sql, requests, loadEndedAt }) => {
  const problems: string[] = []
  for (const { logs, takenAway } of agents) {
    for (const job of takenAway) problems.push(`${job} was taken from an agent that was connected all the time`)
    for (const log of logs) {
      const name = jobLogStream(log.jobId, log.attempt)
      const rows = await sql<{ sequence: number; text: string }[]>`
        select sequence, convert_from(data, 'utf8') as text from stream_entry where stream = ${name} order by sequence`
      const gap = rows.findIndex(({ sequence }, index) => sequence !== index)
      if (gap !== -1) problems.push(`${name} has the sequence ${rows[gap]?.sequence} where ${gap} should be`)
      if (rows.length < log.acknowledged)
        problems.push(`${name} has ${rows.length} chunks, and ${log.acknowledged} were acknowledged`)
      const wrong = rows.find(({ sequence, text }) => text !== log.chunks[sequence] && !text.startsWith('{'))
      if (wrong !== undefined) problems.push(`${name} has another chunk ${wrong.sequence} than the one that was sent`)
      if (log.over) continue
      const last = requests.all.findLast((one) => one.actor === log.jobId && one.outcome === 'acknowledged')
      if (last === undefined || last.endedAt < loadEndedAt - quietMs)
        problems.push(`${name} had no acknowledged chunk in the last ${quietMs} ms`)
    }
  }
  return problems
}
