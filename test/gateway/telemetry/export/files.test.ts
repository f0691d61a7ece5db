/** The files contain all records as tables, with any content: independent parsers find each cell at its place, as text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { escapeControls } from '../../../../gateway/operations/telemetry/export/escapeControls.ts'
import type { ExportJob } from '../../../../gateway/operations/telemetry/export/job.ts'
import { Renderer } from '../../../../gateway/operations/telemetry/export/renderer.ts'
import type { Json } from '../../../../spec/core/actor.ts'
import type { ExportFormat } from '../../../../spec/telemetry/exportRequest.ts'
import type { StoredTelemetry } from '../../../../spec/telemetry/record.ts'
import { aRecord } from './record.ts'

const columns = ['body', 'sessionId', 'attributes.k']

async function rendered(
  format: ExportFormat,
  records: readonly StoredTelemetry[],
  own: Partial<ExportJob> = {},
  cut = false,
): Promise<string> {
  const job: ExportJob = {
    format,
    query: { kind: 'CONSOLE_LOG' },
    columns,
    locale: 'en',
    timeZone: 'UTC',
    at: Date.UTC(2026, 10, 20, 16, 48, 38, 123),
    ...own,
  }
  const renderer = new Renderer(job)
  renderer.add(records)
  return Buffer.from(await renderer.end(cut)).toString()
}

/** Text that is made of what could break something. */
const nasty = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.constantFrom(
        '|',
        '\\',
        '\\|',
        '`',
        '"',
        ',',
        '\n',
        '\r\n',
        '<b>',
        '<!--',
        '-->',
        '&amp;',
        '[a](b:c)',
        '![',
        '*',
        '_',
        '~~',
        '=',
      ),
      fc.constantFrom(
        'http://x.yz',
        'www.x.yz',
        'a@b.cd',
        'mailto:a@b.cd',
        '#1',
        '日本',
        '\u202e',
        '\u0000',
        '\t',
        ' ',
        '- ',
        '# ',
        '[^1]',
        '$x$',
        ':-:',
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join('').toWellFormed())
const rows = fc.array(fc.tuple(nasty, nasty, nasty), { minLength: 1, maxLength: 6 })
const recordsOf = (table: readonly (readonly [Json, string, Json])[]) =>
  table.map(([body, sessionId, k]) => aRecord({ body, sessionId, attributes: { k } }))

test('CSV is read back cell by cell, and no cell begins a formula', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (table) => {
      const file = await rendered('CSV', recordsOf(table))
      const [head, ...read] = parse(file, { bom: true, record_delimiter: '\r\n' }) as string[][]
      assert.deepEqual(head, ['Message', 'Session', 'attributes.k'])
      assert.equal(read.length, table.length)
      for (const [index, cells] of read.entries()) {
        for (const [at, cell] of cells.entries()) {
          assert.doesNotMatch(cell, /^[=+\-@\t\r\n＝＋－＠]/)
          assert.ok([cell, cell.slice(1)].includes(escapeControls(String(table[index]?.[at]))))
        }
      }
    }),
    { numRuns: 300 },
  )
})

interface Node {
  readonly type: string
  readonly value?: string
  readonly children?: readonly Node[]
}
const nodes = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(nodes)]
const textOf = (node: Node): string =>
  node.type === 'html' ? '\n' : (node.value ?? (node.children ?? []).map(textOf).join(''))
const plain = (text: string): string =>
  escapeControls(text)
    .replace(/[\t ]+/g, ' ')
    .trim()

test('Markdown is read back cell by cell as text: no link, no HTML, no other table', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (table) => {
      const file = await rendered('MARKDOWN', recordsOf(table))
      const tree = fromMarkdown(file, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node
      const all = nodes(tree)
      const expected = new Set([
        'root',
        'heading',
        'list',
        'listItem',
        'paragraph',
        'text',
        'inlineCode',
        'table',
        'tableRow',
        'tableCell',
        'html',
      ])
      assert.deepEqual(
        all.filter(({ type }) => !expected.has(type)),
        [],
      )
      for (const { value } of all.filter(({ type }) => type === 'html')) assert.equal(value, '<br>')
      const read = all.filter(({ type }) => type === 'tableRow').map(({ children = [] }) => children.map(textOf))
      assert.deepEqual(read[0], ['Message', 'Session', 'attributes.k'])
      assert.deepEqual(
        read.slice(1),
        table.map((cells) => cells.map(plain)),
      )
    }),
    { numRuns: 300 },
  )
})

test('a CSV has exactly the expected text', async () => {
  const records = [
    aRecord({ body: 'a "quoted", cell\nof two lines', sessionId: '=1', attributes: { k: -1.5 } }),
    aRecord({ body: '日本語' }),
  ]
  assert.equal(
    await rendered('CSV', records, { locale: 'ja', columns: ['timestamp', ...columns], timeZone: 'Asia/Tokyo' }),
    [
      '\ufeff日時 (Asia/Tokyo),メッセージ,セッション,attributes.k',
      '1970/01/01 09:00:00.000,"a ""quoted"", cell\nof two lines",\'=1,-1.5',
      '1970/01/01 09:00:00.000,日本語,,',
      '',
    ].join('\r\n'),
  )
})

test('a CSV of one column keeps its empty rows', async () => {
  assert.equal(
    await rendered('CSV', [aRecord(), aRecord({ body: 'x' })], { columns: ['body'] }),
    '\ufeffMessage\r\n""\r\nx\r\n',
  )
})

test('a Markdown file has exactly the expected text', async () => {
  const query = { kind: 'ANALYTICS_EVENT', from: 0, text: 'a|b', severityMin: 9 } as const
  const file = await rendered('MARKDOWN', [aRecord({ body: 'x*y' })], {
    locale: 'de',
    timeZone: 'Europe/Berlin',
    query,
  })
  assert.equal(
    file,
    `# Analyse-Ereignisse

- Erstellt: 20.11.2026, 17:48:38,123 (Europe/Berlin)
- Von: 01.01.1970, 01:00:00,000 (Europe/Berlin)
- Schweregrad (Zahl): ≥ 9
- Text: a\\|b

| Meldung | Sitzung | attributes.k |
| --- | --- | --- |
| x\\*y |  |  |

Einträge: 1
`,
  )
})

test('a file states if it has no records or was cut off', async () => {
  assert.match(await rendered('MARKDOWN', []), /\n\nNo records\.\n$/)
  assert.equal(await rendered('CSV', []), '\ufeffMessage,Session,attributes.k\r\n')
  assert.match(
    await rendered('CSV', [aRecord()], {}, true),
    /\r\nCut off: only the newest 1 records are in this file\.\r\n$/,
  )
  assert.match(await rendered('MARKDOWN', [aRecord()], { locale: 'ja' }, true), /省略あり: .*1件のみ/)
})
