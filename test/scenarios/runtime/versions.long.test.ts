/** Two versions of the program and one database: only one of them works on it. */

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { commandStep } from '../../kit/program/commandStep.ts'
import { firstKey } from '../../kit/program/graphql.ts'
import { freePorts } from '../../kit/program/ports.ts'
import { type Program, startProgram } from '../../kit/program/program.ts'
import { makeWorkflow } from '../../kit/program/runs.ts'
import { type Ask, asWhom } from '../../kit/program/testProgram.ts'
import { type Shared, sharedDatabase } from '../../kit/program/twoServers.ts'
import { laterVersion } from './laterVersion.ts'

let folder: string
let shared: Shared
let earlier: Program
let later: Program
let key: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-versions-'))
  shared = await sharedDatabase()
  earlier = await shared.start('earlier')
  key = await firstKey(earlier.url)
})
after(async () => {
  await later?.stop()
  await shared?.end()
  await rm(folder, { recursive: true, force: true })
})

const asked = ({ url }: Program): Ask => asWhom(url, { 'X-API-Key': key })
const make = (program: Program, name: string) =>
  makeWorkflow(asked(program), { name, steps: [commandStep('step', 'true')] })

async function workflowsAt(program: Program): Promise<readonly string[]> {
  const query = '{ workflows(first: 10) { nodes { id } } }'
  const { workflows } = await asked(program)<{ workflows: { nodes: { id: string }[] } }>(query)
  return workflows.nodes.map(({ id }) => id).sort()
}

const acknowledged: string[] = []

test('a later version does not start beside an earlier one, and its error explains what to do', async () => {
  const root = await laterVersion(join(folder, 'later'))
  acknowledged.push(await make(earlier, 'before'))
  const started = startProgram({ root, dataDir: join(folder, 'data'), ports: await freePorts(), env: shared.env })
  await assert.rejects(
    started,
    /Another version of Signalbox works on this database \(1 process\)\. Stop all its processes/,
  )
  acknowledged.push(await make(earlier, 'after the refusal'))
})

test('an earlier version that was suspended while a later one started ends by itself, and changes nothing', async () => {
  process.kill(earlier.pid, 'SIGSTOP')
  later = await startProgram({
    root: join(folder, 'later'),
    dataDir: join(folder, 'data'),
    ports: await freePorts(),
    env: shared.env,
  })
  const late = make(earlier, 'too late').then(
    () => 'acknowledged',
    () => 'failed',
  )
  process.kill(earlier.pid, 'SIGCONT')
  assert.equal(await earlier.exited, 1)
  assert.match(earlier.output(), /Another version of Signalbox was started on this database/)
  assert.equal(await late, 'failed')
  acknowledged.push(await make(later, 'by the later version'))
  assert.deepEqual(await workflowsAt(later), acknowledged)
})

test('an earlier version does not start on the database of a later one, and its error explains what to do', async () => {
  await later.stop()
  await assert.rejects(
    shared.start('earlier'),
    /migration 9999_later, which this version of Signalbox does not have: start the newer/,
  )
})
