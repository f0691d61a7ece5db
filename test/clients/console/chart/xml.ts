import assert from 'node:assert/strict'

const token = /<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>|([^<>]+)/gi
const entity = /&(?!amp;|lt;|gt;|quot;)/

/** Holds that a text is well-formed XML of the plain kind that is drawn: elements, quoted attributes, text. */
export function assertXml(source: string): void {
  const open: string[] = []
  let end = 0
  for (const match of source.matchAll(token)) {
    const [whole, closing, name = '', attributes = '', empty, words] = match
    assert.equal(match.index, end, `not XML: ${source.slice(end, end + 60)}`)
    end += whole.length
    assert.doesNotMatch(whole, entity)
    if (words !== undefined) assert.ok(open.length > 0 || words.trim() === '', 'text outside the root')
    else if (closing) assert.equal(open.pop(), name)
    else {
      const keys = [...attributes.matchAll(/ ([\w:-]+)=/g)].map(([, key]) => key)
      assert.equal(new Set(keys).size, keys.length, `an attribute twice: ${whole}`)
      if (!empty) open.push(name)
    }
  }
  assert.equal(end, source.length, `not XML: ${source.slice(end, end + 60)}`)
  assert.deepEqual(open, [])
}
