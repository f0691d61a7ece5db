/** Each language has one word for each term, and addresses people in one way. The English terms are checked by `test/language/`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '../../../spec/messages/catalog.ts'
import { consoleLanguageOf } from '../../../spec/messages/console/catalog.ts'
import { type Locale, locales } from '../../../spec/pages/locales.ts'

interface Avoided {
  readonly pattern: RegExp
  readonly instead: string
}

/** Words that translators might use beside the term of the language. Names of files, such as SKILL.md, keep their own. */
const avoided: Readonly<Record<Exclude<Locale, 'en'>, readonly Avoided[]>> = {
  de: [
    { pattern: /\b(du|dir|dich|dein\p{L}*)\b/iu, instead: 'Sie' },
    { pattern: /\bRuns?\b/u, instead: 'Lauf' },
    { pattern: /Arbeitsb(aum|äum)/iu, instead: 'Worktree' },
    { pattern: /Rechner/u, instead: 'Maschine' },
    { pattern: /\bSession/u, instead: 'Sitzung' },
    { pattern: /Kommando/u, instead: 'Befehl' },
    { pattern: /Voreinstellung/u, instead: 'Preset' },
    { pattern: /Tool\b|Tools\b/u, instead: 'Werkzeug' },
  ],
  fr: [
    { pattern: /(?<!\p{L})(tu|toi|ton|tes)(?!\p{L})/iu, instead: 'vous' },
    { pattern: /\bruns?\b/iu, instead: 'exécution' },
    { pattern: /arbre de travail/iu, instead: 'worktree' },
    { pattern: /\brepositor/iu, instead: 'dépôt' },
    { pattern: /\bskills?\b(?!\.md)/iu, instead: 'compétence' },
    { pattern: /\btools?\b/iu, instead: 'outil' },
  ],
  es: [
    { pattern: /(?<!\p{L})(tú|tu|tus|tienes|puedes)(?!\p{L})/iu, instead: 'usted' },
    { pattern: /\bruns?\b/iu, instead: 'ejecución' },
    { pattern: /árbol de trabajo/iu, instead: 'worktree' },
    { pattern: /\bworkflows?\b/iu, instead: 'flujo de trabajo' },
    { pattern: /\bskills?\b(?!\.md)/iu, instead: 'habilidad' },
    { pattern: /ordenador|computadora/iu, instead: 'máquina' },
    { pattern: /\btools?\b/iu, instead: 'herramienta' },
  ],
  ja: [
    { pattern: /計画/u, instead: 'プラン' },
    { pattern: /作業ツリー/u, instead: 'ワークツリー' },
    { pattern: /レポジトリ/u, instead: 'リポジトリ' },
    { pattern: /サーバ(?!ー)/u, instead: 'サーバー' },
    { pattern: /ユーザ(?!ー)/u, instead: 'ユーザー' },
    { pattern: /ブラウザ(?!ー)/u, instead: 'ブラウザー' },
    { pattern: /コンピュータ/u, instead: 'マシン' },
  ],
}

function listTexts(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value.replace(/\{\w+\}/g, '')]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => listTexts(inner, path === '' ? name : `${path}.${name}`))
}

for (const locale of locales)
  test(`in ${locale} each term has its one word`, () => {
    const texts = [...listTexts(catalog[locale]), ...listTexts(consoleLanguageOf(locale).messages)]
    assert.ok(texts.length > 1_000, String(texts.length))
    const words = locale === 'en' ? [] : avoided[locale]
    const found = texts.flatMap(([path, text]) =>
      words
        .filter(({ pattern }) => pattern.test(text))
        .map(({ pattern, instead }) => `${path}: “${pattern.exec(text)?.[0]}”, write “${instead}”: ${text}`),
    )
    assert.deepEqual(found, [])
  })
