/** Reports that real tools have written, and reports that are wrong, missing, too large or hostile. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { FileTotals } from '../../../../clients/agent/builds/coverage/coverageTable.ts'
import { ReportProblem } from '../../../../clients/agent/builds/coverage/problem.ts'
import { type CoverageReports, readReports } from '../../../../clients/agent/builds/coverage/readReports.ts'

type Format = CoverageReports[number]['format']

let checkout = ''
let notes: string[] = []

beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'coverage-'))
  notes = []
})
afterEach(async () => await rm(checkout, { recursive: true, force: true }))

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(checkout, path)), { recursive: true })
  await writeFile(join(checkout, path), text)
}

/** The report of a tool, as if it had been written in the checkout. */
async function recorded(name: string): Promise<string> {
  return (await readFile(join(import.meta.dirname, 'reports', name), 'utf8')).replaceAll('/checkout', checkout)
}

async function read(...reports: readonly (readonly [Format, string])[]) {
  const options = { note: (line: string) => notes.push(line), signal: new AbortController().signal }
  const list = reports.map(([format, pattern]) => ({ format, pattern }))
  return (await readReports(checkout, list, options)).map(short)
}

/** Path, executed lines, lines, taken branches, branches. */
const short = ({ path, lines, branches }: FileTotals) =>
  branches === null
    ? [path, lines.covered, lines.total]
    : [path, lines.covered, lines.total, branches.covered, branches.total]

async function problemOf(...reports: readonly (readonly [Format, string])[]): Promise<string> {
  const error = await read(...reports).then(
    () => assert.fail('the reports were read'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ReportProblem, String(error))
  return `${error.code} ${error.message}`
}

describe('reports of real tools', () => {
  test('lcov with gcov', async () => {
    await write('lcov.info', await recorded('gcc.info'))
    assert.deepEqual(await read(['LCOV', 'lcov.info']), [
      ['src/main.c', 3, 3],
      ['src/sum.c', 3, 6, 1, 2],
    ])
    assert.match(notes.join('\n'), /▶ Read coverage report lcov\.info \(LCOV, \d+ bytes\)/)
  })

  test('coverage.py, as LCOV and as COBERTURA', async () => {
    await write('out/py.info', await recorded('coveragePy.info'))
    await write('out/py.xml', await recorded('coveragePy.xml'))
    await write('shop/price.py', '')
    const expected = [['shop/price.py', 5, 7, 1, 2]]
    assert.deepEqual(await read(['LCOV', 'out/py.info']), expected)
    assert.deepEqual(await read(['COBERTURA', 'out/py.xml']), expected)
  })

  test('the test runner of Node', async () => {
    await write('lcov.info', await recorded('node.info'))
    assert.deepEqual(await read(['LCOV', '*.info']), [
      ['price.js', 6, 8, 3, 4],
      ['price.test.js', 4, 4, 2, 2],
    ])
  })

  test('Istanbul in a package, with a document type: a line of a method and of its class counts once', async () => {
    await write('packages/cart/coverage/cobertura.xml', await recorded('istanbul.xml'))
    assert.deepEqual(await read(['COBERTURA', '**/cobertura.xml']), [['packages/cart/src/cart.js', 3, 4, 1, 2]])
  })

  test('xccov', async () => {
    await write('coverage.json', await recorded('xccov.json'))
    assert.deepEqual(await read(['XCCOV', 'coverage.json']), [
      ['Shop/Cart.swift', 12, 12],
      ['Shop/CheckoutView.swift', 25, 46],
    ])
  })
})

const lcov = (source: string, ...lines: string[]) => `SF:${source}\n${lines.join('\n')}\nend_of_record\n`

describe('several reports', () => {
  test('a line counts once, and is covered if one report has executed it', async () => {
    await write('a.info', lcov('x.js', 'DA:1,1', 'DA:2,0', 'DA:3,0', 'BRDA:2,0,0,1', 'BRDA:2,0,1,-'))
    await write('b.info', lcov('x.js', 'DA:2,4', 'DA:3,0', 'BRDA:2,0,1,1'))
    assert.deepEqual(await read(['LCOV', '*.info']), [['x.js', 2, 3, 2, 2]])
  })

  test('the totals of a file count only if the report has no single lines of the file', async () => {
    await write('a.info', `${lcov('x.js', 'LF:10', 'LH:4')}${lcov('y.js', 'DA:1,1', 'LF:10', 'LH:4')}`)
    assert.deepEqual(await read(['LCOV', 'a.info']), [
      ['x.js', 4, 10],
      ['y.js', 1, 1],
    ])
  })

  test('paths are relative to the folder of their package if the file exists there', async () => {
    await write('packages/a/src/x.js', '')
    await write('packages/a/coverage/lcov.info', lcov('src/x.js', 'DA:1,1'))
    await write('packages/b/src/x.js', '')
    await write('packages/b/coverage/lcov.info', lcov('src/x.js', 'DA:1,0'))
    assert.deepEqual(await read(['LCOV', 'packages/*/coverage/lcov.info']), [
      ['packages/a/src/x.js', 1, 1],
      ['packages/b/src/x.js', 0, 1],
    ])
  })
})

describe('files that are not in the checkout', () => {
  test('are not counted, and the log has one of them', async () => {
    await write(
      'a.info',
      `${lcov('x.js', 'DA:1,1')}${lcov('/usr/include/stdio.h', 'DA:1,1')}${lcov('../y.js', 'DA:1,1')}`,
    )
    assert.deepEqual(await read(['LCOV', 'a.info']), [['x.js', 1, 1]])
    assert.match(notes.join('\n'), /not in the checkout are not counted: 2, such as \/usr\/include\/stdio\.h/)
  })

  test('are an error if the reports have no other files', async () => {
    await write('a.info', lcov('/app/x.js', 'DA:1,1'))
    assert.match(
      await problemOf(['LCOV', 'a.info']),
      /^COVERAGE_REPORT_INVALID no file of the reports is in the checkout\. One is \/app\/x\.js/,
    )
  })
})

const invalid: readonly (readonly [name: string, format: Format, text: string, problem: RegExp])[] = [
  [
    'a count that is no number',
    'LCOV',
    lcov('x.js', 'DA:1,1', 'DA:x,1'),
    /report \(LCOV\): line 3: “DA:x,1” is no line/,
  ],
  ['a branch without a count', 'LCOV', lcov('x.js', 'BRDA:1,0,0'), /line 2: “BRDA:1,0,0” is no line number, block/],
  ['a report that is cut off', 'LCOV', 'SF:x.js\nDA:1,1\n', /line 2: the record of x\.js has no end_of_record/],
  ['a line before the file', 'LCOV', 'TN:\nDA:1,1\n', /line 2: DA is outside of a record/],
  ['a file in a file', 'LCOV', 'SF:x.js\nSF:y.js\n', /line 2: a record begins before that of x\.js/],
  ['no file', 'LCOV', 'TN:\n', /line 1: the tracefile has no record/],
  ['an empty report', 'LCOV', '', /line 1: the tracefile has no record/],
  ['a page in place of a tracefile', 'LCOV', '<!DOCTYPE html>\n', /line 1: “<!DOCTYPE html>” is no line/],
  ['control characters', 'LCOV', '\u001b[2J\u0007x\n', /line 1: “\[2J x” is no line/],
  ['a line without an end', 'LCOV', `SF:${'x'.repeat(70_000)}`, /line 1: it has more than 65536 characters/],
  [
    'a line number that is too large',
    'LCOV',
    lcov('x.js', 'DA:99999999999,1'),
    /line 2: “DA:99999999999” has no whole/,
  ],
  ['a tag that is not closed', 'COBERTURA', '<coverage>\n<packages>\n</coverage>', /line 3: it is no XML: /],
  ['an empty document', 'COBERTURA', '', /line 1: it is no XML|line 1: the document has no element/],
  ['another document', 'COBERTURA', '<html></html>', /line 1: the document is “html” and not “coverage”/],
  [
    'a class without a file',
    'COBERTURA',
    '<coverage>\n<class name="x"/></coverage>',
    /line 2: the class has no attribute/,
  ],
  [
    'a line without a number',
    'COBERTURA',
    '<coverage><class filename="x.js">\n<line hits="1"/></class></coverage>',
    /line 2: the line has number “” and hits “1”/,
  ],
  [
    'an entity that would grow',
    'COBERTURA',
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<coverage><source>&b;</source></coverage>',
    /line 2: it is no XML: undefined entity/,
  ],
  ['deep elements', 'COBERTURA', `<coverage>${'<a>'.repeat(200)}`, /line 1: more than 100 elements/],
  ['broken JSON', 'XCCOV', '{\n  "targets": [\n    x\n  ]\n}', /it is no JSON: Unexpected token 'x', .* x /],
  ['cut JSON', 'XCCOV', '{\n"targets": [', /it is no JSON: Unexpected end/],
  ['JSON without a comma', 'XCCOV', '{\n"targets": []\n"files": []}', /line 3: it is no JSON: Expected ','/],
  ['another document', 'XCCOV', '{"files": []}', /the report has no list “targets”: write it by/],
  [
    'a file without lines',
    'XCCOV',
    '{"targets": [{"files": [{"path": "x.swift", "coveredLines": 3, "executableLines": 2}]}]}',
    /targets\[0\]\.files\[0\] \(x\.swift\) has no whole numbers/,
  ],
]

describe('a report that is wrong is refused with its name, the line and the reason', () => {
  for (const [name, format, text, problem] of invalid)
    test(`${format}: ${name}`, async () => {
      await write('report', text)
      const found = await problemOf([format, 'report'])
      assert.match(found, /^COVERAGE_REPORT_INVALID report /)
      assert.match(found, problem)
    })
})

describe('bounds', () => {
  test('each pattern must match a file', async () => {
    await write('a.info', lcov('x.js', 'DA:1,1'))
    assert.match(
      await problemOf(['LCOV', 'a.info'], ['COBERTURA', 'out/*.xml']),
      /^COVERAGE_REPORT_MISSING no file matches “out\/\*\.xml” \(COBERTURA\)/,
    )
  })

  test('links are not followed', async () => {
    const other = await mkdtemp(join(tmpdir(), 'coverage-other-'))
    try {
      await writeFile(join(other, 'a.info'), lcov('x.js', 'DA:1,1'))
      await symlink(join(other, 'a.info'), join(checkout, 'a.info'))
      await symlink(other, join(checkout, 'folder'))
      assert.match(await problemOf(['LCOV', 'a.info']), /^COVERAGE_REPORT_MISSING /)
      assert.match(await problemOf(['LCOV', 'folder/a.info']), /^COVERAGE_REPORT_MISSING /)
      assert.match(await problemOf(['LCOV', '**/a.info']), /^COVERAGE_REPORT_MISSING /)
    } finally {
      await rm(other, { recursive: true, force: true })
    }
  })

  test('a report of more than 64 MiB is refused', async () => {
    await write('a.json', '')
    await truncate(join(checkout, 'a.json'), 65 * 1024 * 1024)
    assert.match(await problemOf(['XCCOV', 'a.json']), /^COVERAGE_REPORT_TOO_LARGE a\.json .* more than 64 MiB/)
  })

  test('more than 200 reports are refused', async () => {
    for (let index = 0; index < 201; index++) await write(`out/${index}.info`, '')
    assert.match(await problemOf(['LCOV', 'out/*.info']), /^COVERAGE_REPORT_TOO_LARGE more than 200 files match/)
  })

  test('a large report does not block the agent', async () => {
    const lines = Array.from({ length: 1_000_000 }, (_, index) => `DA:${index + 1},${index % 2}`)
    await write('a.info', `SF:x.js\n${lines.join('\n')}\nend_of_record\n`)
    let longest = 0
    let last = performance.now()
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 5)
    assert.deepEqual(await read(['LCOV', 'a.info']), [['x.js', 500_000, 1_000_000]])
    clearInterval(timer)
    assert.ok(longest < 1_000, `the agent did nothing else for ${longest} ms`)
  })
})
