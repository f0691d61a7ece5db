/** `node docs/generate/machines.ts` writes `docs/machines.md` and, for each machine, a page and a picture in `docs/machines/`, from the machines themselves. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Definition } from '../../machines/framework/define.ts'
import { machines } from '../../machines/machines.ts'
import { headline, machinePage, machinePicture } from './machinePage.ts'

const docs = fileURLToPath(new URL('..', import.meta.url))
const folder = join(docs, 'machines')

const introduction = `# Machines

Every lifecycle is an XState machine in \`machines/\`, and each has a page here: its chart, its states, and what operators can do. This page
and those are written by \`node docs/generate/machines.ts\` from the machines themselves, and a test fails where they are not current.

## How to read them

- **the chart**: an arrow is an event that leads from one state to another; what stands in a state is an event that it takes without leaving
  it. In brackets is what must hold for it.
- **state**: its path; bold ones are terminal, and no actor leaves them. In a parallel machine the first word is the region: \`lifecycle\` gives
  the actor's \`status\`, the other regions hold what can be true at the same time.
- **ends**: *deadline* is a durable timer and where it leads. *lease* is watched by presence, which counts heartbeats. *unbounded* says who is
  waited for, where there is no deadline on purpose. *expected* is how long the state should take: after that the actor counts as stuck.
- **accepts**: the events that its chart has transitions for. Any other event is refused with \`FAILED_PRECONDITION\`, and the refusal names these.
- **effects**: what is done for it outside of its chart, at least once. To tell another actor something is one that all have; it is not listed.
- **operators**: the events that operators can send, with the IDs that these require, and the states that they can force, as
  [operations](operations.md#to-free-an-actor) describes.

## All of them

| kind | |
|---|---|
`

/** Every file that this writes, by its path from here. */
export async function machineFiles(): Promise<ReadonlyMap<string, string>> {
  const all = Object.values(machines)
  const rows = await Promise.all(all.map(row))
  const own = await Promise.all(
    all.map(async (definition) => [
      [`machines/${definition.kind}.md`, await machinePage(definition)] as const,
      [`machines/${definition.kind}.svg`, await machinePicture(definition)] as const,
    ]),
  )
  return new Map([['machines.md', `${introduction}${rows.join('\n')}\n`], ...own.flat()])
}

async function row({ kind }: Definition): Promise<string> {
  return `| [${kind}](machines/${kind}.md) | ${headline(kind).replaceAll('|', '\\|')} |`
}

/** The files that lie where this writes, by their path from here. */
export async function filesThere(): Promise<readonly string[]> {
  return ['machines.md', ...(await readdir(folder)).map((name) => `machines/${name}`)]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = await machineFiles()
  await mkdir(folder, { recursive: true })
  for (const path of await filesThere()) if (!files.has(path)) await rm(join(docs, path))
  for (const [path, text] of files) await writeFile(join(docs, path), text)
}
