/** Every language has all texts, in its own words. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catalog } from '../../../spec/messages/catalog.ts'
import { format, formatDelay } from '../../../spec/messages/format.ts'
import { problemOf } from '../../../spec/messages/problems.ts'
import { type Locale, locales } from '../../../spec/pages/locales.ts'

/** Texts that may be equal to the English ones: words that the languages share. */
const shared: Readonly<Record<Locale, readonly string[]>> = {
  en: [],
  de: [
    'pages.install.version',
    'telemetryExport.columns.traceId',
    'telemetryExport.columns.spanId',
    'telemetryExport.text',
  ],
  fr: [
    'pages.install.version',
    'news.titles.INCIDENT',
    'telemetryExport.columns.body',
    'telemetryExport.columns.sessionId',
    'telemetryExport.columns.traceId',
    'telemetryExport.columns.spanId',
  ],
  es: ['telemetryExport.columns.spanId'],
  ja: [],
}

function texts(value: object, path = ''): ReadonlyMap<string, string> {
  const entries = Object.entries(value).flatMap(([key, one]): readonly (readonly [string, string])[] => {
    const name = path === '' ? key : `${path}.${key}`
    return typeof one === 'string' ? [[name, one]] : [...texts(one as object, name)]
  })
  return new Map(entries)
}

const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort()
const english = texts(catalog.en)

for (const locale of locales.filter((one) => one !== 'en'))
  describe(`in ${locale}`, () => {
    const own = texts(catalog[locale])

    test('no text is missing, superfluous or empty', () => {
      assert.deepEqual([...own.keys()].sort(), [...english.keys()].sort())
      assert.deepEqual(
        [...own].filter(([, text]) => text.trim() === ''),
        [],
      )
    })

    test('only the listed texts are equal to the English ones', () => {
      const same = [...own].filter(([name, text]) => text === english.get(name)).map(([name]) => name)
      assert.deepEqual(same.sort(), shared[locale].toSorted())
    })

    test('each text has the same placeholders as the English text', () => {
      for (const [name, text] of own) assert.deepEqual(placesIn(text), placesIn(english.get(name) ?? ''), name)
    })
  })

test('Japanese is written in Japanese', () => {
  const foreign = [...texts(catalog.ja)].filter(([, text]) => !/[\u3040-\u30ff\u4e00-\u9fff]/.test(text))
  assert.deepEqual(foreign, [])
})

test('a delay is formatted as in each language, and is never too short', () => {
  assert.equal(formatDelay(1, 'en'), 'in 1 second')
  assert.equal(formatDelay(0.2, 'en'), 'in 1 second')
  assert.equal(formatDelay(89.5, 'en'), 'in 90 seconds')
  assert.equal(formatDelay(121, 'en'), 'in 3 minutes')
  assert.equal(formatDelay(300, 'de'), 'in 5 Minuten')
  assert.equal(formatDelay(300, 'fr').replaceAll('\u00a0', ' '), 'dans 5 minutes')
  assert.equal(formatDelay(300, 'ja'), '5 分後')
})

test('only the codes of a closed list have a text', () => {
  assert.equal(problemOf('RATE_LIMITED'), 'rateLimited')
  assert.equal(problemOf('account_exists'), 'accountExists')
  for (const forged of ['', 'constructor', '__proto__', 'toString', '<b>']) assert.equal(problemOf(forged), undefined)
})

test('a value that looks like a placeholder is not expanded', () => {
  assert.equal(format('{a} {b} {c}', { a: '{b}', b: '$&' }), '{b} $& {c}')
})
