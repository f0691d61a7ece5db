/** The texts of the console are complete in every language. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { consoleCatalog, consoleLanguageOf } from '../../spec/messages/console/catalog.ts'
import { isTranslations, type Text, type TextTree, type Translations } from '../../spec/messages/console/message.ts'
import { locales } from '../../spec/pages/locales.ts'

const root = resolve(import.meta.dirname, '../..')

function* walk(tree: TextTree, path = ''): Generator<readonly [path: string, texts: Translations]> {
  for (const [name, node] of Object.entries(tree)) {
    const at = path === '' ? name : `${path}.${name}`
    if (isTranslations(node)) yield [at, node]
    else yield* walk(node, at)
  }
}

const formsOf = (text: Text): readonly string[] => (typeof text === 'string' ? [text] : Object.values(text))
const namesIn = (text: Text): readonly string[] =>
  [...new Set(formsOf(text).flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)))].sort()

const all = [...walk(consoleCatalog)]

describe('texts of the console', () => {
  test('each text has the same names in braces in every language', () => {
    const wrong = all.flatMap(([path, texts]) =>
      locales
        .filter((locale) => namesIn(texts[locale]).join() !== namesIn(texts.en).join())
        .map((locale) => `${path}: ${locale} has {${namesIn(texts[locale])}}, en has {${namesIn(texts.en)}}`),
    )
    assert.deepEqual(wrong, [])
  })

  test('no text is empty, begins or ends with a space, or has a straight apostrophe between letters', () => {
    const wrong = all.flatMap(([path, texts]) =>
      locales.flatMap((locale) =>
        formsOf(texts[locale])
          .filter((form) => form === '' || form !== form.trim() || /\p{L}'\p{L}/u.test(form))
          .map((form) => `${path}: ${locale} ${JSON.stringify(form)}`),
      ),
    )
    assert.deepEqual(wrong, [])
  })

  test('a plural text has every form that its language needs', () => {
    const wrong = all.flatMap(([path, texts]) =>
      locales.flatMap((locale) => {
        const text = texts[locale]
        if (typeof text === 'string') return []
        const needed = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.filter((one) => one !== 'many')
        return needed.filter((one) => !(one in text)).map((one) => `${path}: ${locale} has no "${one}"`)
      }),
    )
    assert.deepEqual(wrong, [])
  })

  test('a browser gets the texts of one language', () => {
    const { locale, messages } = consoleLanguageOf('de')
    assert.equal(locale, 'de')
    assert.equal(messages.shell.newRun, 'Neuer Lauf')
  })

  test('no view has texts of its own', () => {
    // The page for developers is in English only.
    const views = globSync('clients/console/app/**/*.tsx', {
      cwd: root,
      exclude: ['clients/console/app/design'],
    }).sort()
    assert.ok(views.length > 100, String(views.length))
    const found = views.flatMap((path) =>
      findOwnTexts(readFileSync(join(root, path), 'utf8')).map((text) => `${path}: ${text}`),
    )
    assert.deepEqual(found, [])
  })

  test('a text in a view is found between tags and in attributes', () => {
    const source = `<p title="Total size">{count} <b>All runs</b> <code>npm ci</code> <input placeholder="wt_…" /></p>`
    assert.deepEqual(findOwnTexts(source), ['All runs', 'Total size'])
  })
})

/** Names of products and of keys, and values that are written by people in no language. */
const names = new Set([
  'GraphiQL',
  'OpenAPI',
  'Signalbox',
  'UDID',
  'SVG',
  'JSON',
  'Mermaid',
  '12 · 3 min–2 h',
  '30 9 * * MON-FRI',
])

/** Finds texts with words between tags and in attributes for people. Code and keys are no texts. */
function findOwnTexts(source: string): readonly string[] {
  const withoutCode = source
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$|=>|>=| > /gm, '')
    .replace(/<(code|kbd)\b[^>]*>[^<]*<\/\1>/g, '<i></i>')
  // The names in lower case that are followed by `>` in types are no tags.
  const afterTag = withoutCode.matchAll(
    /<(?!string|number|boolean|unknown|void|never|typeof|readonly)[a-z]\w*\b[^<>]*>([^<>{}]*)/g,
  )
  const beforeEnd = withoutCode.matchAll(/([^<>{}]*)<\/[a-zA-Z]/g)
  const between = [...afterTag, ...beforeEnd].map(([, text = '']) => text)
  const attributes = [...withoutCode.matchAll(/\b(?:aria-label|title|label|alt|placeholder)="([^"]*)"/g)].map(
    ([, text = '']) => text,
  )
  return [...new Set([...between, ...attributes])]
    .map((text) => text.trim().replace(/\s+/g, ' '))
    .filter((text) => /\p{L}{3}/u.test(text) && !names.has(text) && !isValue(text) && !isCode(text))
}

/** Returns whether a text is an example of a value: a path, an address, an ID, or a list of those. */
const isValue = (text: string): boolean => /^[\w./:…-]+(, [\w./:…-]+)*$/.test(text) && /[./:…,]/.test(text)

const isCode = (text: string): boolean => /['`=]|\breturn\b|\{\{/.test(text)
