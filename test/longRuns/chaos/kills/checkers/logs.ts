/** Logs are complete, in order and ended, with the SHA-256 that the agent computed. The log of a SUCCEEDED job has all its lines. */
import { createHash } from 'node:crypto'
import { jobLogStream } from '../../../../../machines/agents/jobKeys.ts'
import { type JobWork, readJobWork } from '../jobWork.ts'
import type { Checker, SeenActor, SeenStream } from '../seen.ts'

export const logsAreWhole: Checker = (seen) => {
  const works = readJobWork(seen)
  const jobs = [...seen.actors.values()].filter(({ kind, terminal }) => kind === 'job' && terminal)
  return jobs.flatMap((job) => {
    const name = jobLogStream(job.id, Number(job.context.attempt))
    const stream = seen.streams.get(name)
    const work = works.get(job.id)
    const what = stream === undefined ? 'does not exist' : (wrong(stream, job) ?? unsaid(stream, job, work))
    const ids = [job.id, work?.step?.id ?? work?.run.id ?? '']
    return what === undefined ? [] : [{ what: `${name} ${what}`, ids }]
  })
}

function wrong({ entries, next, ended }: SeenStream, job: SeenActor): string | undefined {
  if (!ended) return 'is not ended although its job is terminal'
  const gap = entries.findIndex(({ sequence }, index) => sequence !== index)
  if (gap !== -1) return `has the sequence ${entries[gap]?.sequence} where ${gap} should be`
  if (entries.length !== next) return `has ${entries.length} entries, and its next sequence is ${next}`
  if (entries.filter(({ kind }) => kind === 'END').length !== 1 || entries.at(-1)?.kind !== 'END')
    return 'does not end with END'
  const chunks = entries.slice(0, -1)
  const end = JSON.parse(Buffer.from(entries.at(-1)?.data ?? []).toString()) as {
    chunks: number
    sha256: string | null
  }
  if (end.sha256 === null) return undefined
  if (end.chunks !== chunks.length) return `has ${chunks.length} chunks and its END states ${end.chunks}`
  const hash = createHash('sha256')
  for (const { data } of chunks) hash.update(data)
  if (hash.digest('hex') !== end.sha256) return 'does not have the SHA-256 that its END states'
  const told = job.context.log as { sha256: string } | null
  return told !== null && told.sha256 !== end.sha256 ? 'does not have the SHA-256 that the agent reported' : undefined
}

function unsaid({ entries }: SeenStream, job: SeenActor, work: JobWork | undefined): string | undefined {
  if (job.status !== 'SUCCEEDED' || work === undefined) return undefined
  const said = entries
    .filter(({ kind }) => kind === 'STDOUT')
    .map(({ data }) => Buffer.from(data).toString())
    .join('')
  const expected = work.commands
    .flatMap(({ name, lines }) => Array.from({ length: lines }, (_, line) => `${name}: line ${line + 1} of ${lines}\n`))
    .join('')
  // The log of a build begins with its checkout and its commit.
  const isRight = work.run.kind === 'build' ? said.endsWith(expected) : said === expected
  return isRight ? undefined : `has the lines ${JSON.stringify(said)} instead of ${JSON.stringify(expected)}`
}
