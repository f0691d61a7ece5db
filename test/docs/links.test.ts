/** Links lead somewhere: files that are there, headings that are there; and what the documents name in code marks exists. */
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { blocksOf, flagOf, readDocument, root } from './examples/blocks.ts'

const documents = globSync(['*.md', 'docs/**/*.md', 'test/**/*.md'], { cwd: root, exclude: ['**/node_modules'] }).sort()

/** As GitHub makes them: lower case, no punctuation, spaces to hyphens. */
function anchorsOf(path: string): ReadonlySet<string> {
  const headings = withoutBlocks(path).matchAll(/^#{1,6} (.+)$/gm)
  const anchors = [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
  return new Set(anchors)
}

function withoutBlocks(path: string): string {
  return readDocument(path).replace(/^```[\s\S]*?^```$/gm, '')
}

function brokenLinks(path: string): string[] {
  const links = withoutBlocks(path).matchAll(/!?\[[^\]]*\]\(([^)\s]+)\)|<img[^>]* src="([^"]+)"/g)
  return [...links].flatMap(([, link, source]) => {
    const target = link ?? source ?? ''
    if (/^https?:/.test(target)) return []
    const [file = '', anchor] = target.split('#')
    const there = file === '' ? path : normalize(join(dirname(path), file))
    if (!existsSync(join(root, there))) return [`${path}: ${target} is not there`]
    return anchor !== undefined && !anchorsOf(there).has(anchor) ? [`${path}: ${target} has no such heading`] : []
  })
}

/** `actors/activation/turn.ts` and the like in code marks. Names with a placeholder (`x.ts`, `*`, `<…>`) are no files. */
function missingFiles(path: string): string[] {
  const folders = 'spec|machines|actors|storage|gateway|clients|test|docs'
  const names = withoutBlocks(path).matchAll(new RegExp(`\`((?:${folders})/[\\w./-]+)\``, 'g'))
  return [...names]
    .map(([, name = '']) => name)
    .filter((name) => !/(^|\/)x\./.test(name) && !existsSync(join(root, name)))
    .map((name) => `${path}: ${name} is not there`)
}

test('there are documents', () => assert.ok(documents.length >= 8, documents.join(', ')))

for (const path of documents) {
  test(`${path}: linked headings, linked files and named files exist`, () => {
    assert.deepEqual([...brokenLinks(path), ...missingFiles(path)], [])
  })

  test(`${path}: quoted files have the same content as the files`, () => {
    for (const block of blocksOf(path)) {
      const file = flagOf(block, 'file')
      if (file !== undefined) assert.equal(`${block.text}\n`, readDocument(file), `${path}:${block.line}`)
    }
  })
}

test('ARCHITECTURE.md links each page of docs/internals', () => {
  const pages = documents.filter((path) => path.startsWith('docs/internals/'))
  const text = readDocument('ARCHITECTURE.md')
  assert.ok(pages.length > 0)
  assert.deepEqual(
    pages.filter((path) => !text.includes(`](${path})`)),
    [],
  )
})

test('no document names a path of this machine', () => {
  const found = documents.filter((path) => readDocument(path).includes(root))
  assert.deepEqual(found, [])
})
