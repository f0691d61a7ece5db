/** The fuzzer finds planted faults of each kind, and none in a reader without faults. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type FileFuzzResult, fuzzFiles } from './fileFuzz.ts'
import { fuzzedReaders } from './planted.ts'
import type { RunBounds } from './readerRun.ts'
import { replay } from './replay.ts'

const folder = mkdtempSync(join(tmpdir(), 'fuzz-files-'))
after(() => rmSync(folder, { recursive: true }))
const module = new URL('./planted.ts', import.meta.url).href

const readerOf = (name: string) => fuzzedReaders.find((reader) => reader.name === name) ?? assert.fail(name)

async function fuzz(name: string, inputs: number, bounds: Partial<RunBounds> = {}): Promise<FileFuzzResult> {
  return await fuzzFiles({
    ...{ module, readers: [readerOf(name)], seed: 1, forMs: 60_000, inputs, bounds, folder, reportEachMs: 1_000_000 },
    isEndedByFinding: true,
    report: () => {},
  })
}

interface PlantedFault {
  readonly reader: string
  readonly fault: RegExp
  readonly bounds?: Partial<RunBounds>
}

const faults: readonly PlantedFault[] = [
  { reader: 'rangeError', fault: /^an undeclared error: RangeError/ },
  { reader: 'typeError', fault: /^an undeclared error: TypeError/ },
  { reader: 'endless', fault: /^one file has taken more than 0\.3 s$/, bounds: { withinMs: 300 } },
  { reader: 'slow', fault: /^a file of \d+ bytes has taken \d+ ms$/, bounds: { slowMs: 40 } },
  { reader: 'outOfMemory', fault: /^the thread was out of memory$/, bounds: { heapMb: 32 } },
  { reader: 'unprintable', fault: /has unprintable characters$/ },
  { reader: 'unprintableError', fault: /^an error has unprintable characters: Refused$/ },
  { reader: 'undetermined', fault: /^a second read has another result$/ },
  { reader: 'changesItsInput', fault: /^the reader has changed the bytes of the file$/ },
  { reader: 'writesToConsole', fault: /^the reader has written to the console: planted$/ },
  { reader: 'rejectsLater', fault: /^an error has ended the thread: TypeError: planted/ },
  { reader: 'otherInProduct', fault: /^the product's thread has another result/ },
  { reader: 'behindBranches', fault: /^an undeclared error: TypeError: planted/ },
]

for (const { reader, fault, bounds } of faults)
  test(`the fuzzer finds the fault of ${reader}, and its file reproduces it`, async () => {
    const { findings } = await fuzz(reader, 3_000, bounds)
    const found = findings.all.find((finding) => fault.test(finding.fault))
    assert.ok(found, findings.all.map((finding) => finding.fault).join('\n'))
    const again = await replay({ module, reader: readerOf(reader), file: readFileSync(found.path), bounds })
    assert.ok(
      again.faults.some((own) => fault.test(own)),
      again.faults.join('\n'),
    )
  })

test('the fuzzer finds a reader that holds more memory with each file', async () => {
  const { findings } = await fuzz('leaks', 320, { mostHeldMb: 16 })
  assert.match(findings.all[0]?.fault ?? '', /^the thread holds \d+ MB more than after its first files$/)
})

test('the fuzzer finds nothing in a reader without faults, and makes the same files for the same seed', async () => {
  const results = [await fuzz('sound', 500), await fuzz('sound', 500)]
  const figures = results.map(({ findings, runs: [run] }) => {
    assert.deepEqual(findings.all, [])
    return [run?.figures.inputs, run?.figures.read, run?.kept]
  })
  assert.deepEqual(figures[0], figures[1])
  const [inputs = 0, read = 0] = figures[0] ?? []
  assert.ok(inputs >= 500 && read > 50 && read < inputs, `${read} of ${inputs} were read`)
})
