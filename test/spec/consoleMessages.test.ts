/** The texts of the console are complete in every language. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { consoleCatalog, consoleLanguageOf } from '../../spec/messages/console/catalog.ts'
import { isTranslations, type Text, type TextTree, type Translations } from '../../spec/messages/console/message.ts'
import { locales } from '../../spec/pages/locales.ts'

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
})
