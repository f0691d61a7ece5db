/** The fuzzer finds planted faults of each kind. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { startMeasured } from '../../kit/program/measuring/measuredProgram.ts'
import { type Planted, plantedCatalog, plantedNames } from './planted.ts'
import { type RunResult, run, type Victim } from './run.ts'
import { subjectOf } from './subject.ts'

/** For each operation: the finding. */
const faults: readonly (readonly [operation: string, found: RegExp])[] = [
  ['breaksOnZero', /^INTERNAL$/],
  ['the log', /^contains an error: unexpected error/],
  ['forbidsWhoMayAsk', /^FORBIDDEN to a caller with access/],
  ['tellsItsKey', /^the answer shows a credential$/],
  ['saysTooMuch', /^the answer has b, which is not declared$/],
  ['saysOtherwise', /^the answer is not as declared: a: /],
  ['refusesOtherwise', /^409 CONFLICT is not documented$/],
  ['isOpen', /^answered 200 to a caller without access$/],
  ['the log', /^shows a credential$/],
  ['refusesWhatIsRight', /^valid input was refused: a: /],
]

async function startPlanted(kind: Planted, line: (text: string) => void): Promise<Victim> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-planted-'))
  const program = await startMeasured({
    dataDir,
    ports: { main: 0, agent: 0 },
    env: { PLANTED: kind },
    entry: join(import.meta.dirname, 'planted.ts'),
    line,
  })
  return {
    port: program.port,
    agentPort: program.agentPort,
    secrets: [],
    exitCode: program.exitCode,
    heldBytes: async () => (await program.collected()).heldBytes,
    async stop() {
      await program.stop()
      await rm(dataDir, { recursive: true, force: true })
      return program.exitCode() ?? null
    },
  }
}

/** Sends requests only to the planted operations. */
function fuzzed(kind: Planted, requests: number): Promise<RunResult> {
  const subject = subjectOf(plantedCatalog(kind))
  return run({
    subject: { ...subject, targets: subject.targets.filter(({ name }) => plantedNames(kind).has(name)) },
    start: (line) => startPlanted(kind, line),
    requests,
    seed: 1,
    atOnce: 16,
    slowestMs: 60_000,
    outageMs: 0,
    say: () => {},
  })
}

let result: RunResult
before(async () => {
  result = await fuzzed('all others', 400)
})

for (const [operation, found] of faults)
  test(`the fuzzer finds ${found} in ${operation}`, () => {
    const own = result.findings.all.filter((one) => one.operation === operation).map(({ what }) => what)
    assert.ok(
      own.some((what) => found.test(what)),
      `found instead: ${own.join('; ')}`,
    )
  })

test('an unhandled rejection ends the program, and the fuzzer reports it', async () => {
  const { findings } = await fuzzed('deadly', 400)
  const own = findings.all.filter(({ operation }) => operation === 'the program').map(({ what }) => what)
  assert.ok(own.includes('ended with 1'), own.join('; '))
  assert.ok(
    own.some((what) => what.includes('planted: unhandled rejection')),
    own.join('; '),
  )
})
