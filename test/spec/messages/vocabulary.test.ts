/**
 * Each language has one word for each term, and addresses people in one way. English texts have none of the phrases of the first console, which
 * new users did not understand; `test/language/` checks the English terms.
 */
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
const avoided: Readonly<Record<Locale, readonly Avoided[]>> = {
  en: [
    { pattern: /\bstands? still\b/i, instead: 'stuck' },
    { pattern: /^leave (it|them|this)\b/i, instead: 'Cancel' },
    { pattern: /^(do it|doing it)\b/i, instead: 'the verb of the button' },
    { pattern: /what you can do|takes now/i, instead: 'Actions' },
    { pattern: /\bmoves? it\b|past its time/i, instead: 'Overdue' },
    { pattern: /^(it )?asks?$|asks? for (its|what)/i, instead: 'the verb: Cancel run, Needs input' },
    { pattern: /leaves that state/i, instead: 'the next action' },
    { pattern: /kept in the journal/i, instead: 'recorded in the history' },
    { pattern: /failed for good/i, instead: 'failed after its last attempt' },
    { pattern: /held up|to look at\b|all clear/i, instead: 'Urgent, For review, all caught up' },
    { pattern: /carry it out|ready to be played/i, instead: 'Execute plan, Plan ready' },
    { pattern: /what it (says|has started|is made of)|made with/i, instead: 'Transcript, Child runs, Raw data' },
    { pattern: /\basked for \d/i, instead: 'Created' },
    { pattern: /\b(no|every|any|some)body\b/i, instead: 'no user, all users' },
    { pattern: /\blets? in\b|let in\b|admit (nobody|again)/i, instead: 'Pause queue, Resume queue' },
    {
      pattern: /give back|given free|take it for lost|take (no new )?work/i,
      instead: 'Release slot, Mark as lost, Drain',
    },
    { pattern: /\benrol\b/i, instead: 'Add machine' },
    { pattern: /CLIs work/, instead: 'available' },
    { pattern: /^(in|of) any\b|any, or none|like that\b/i, instead: 'Any status, No matches' },
    { pattern: /looked for|with a life|pile up/i, instead: 'Clear filters, Bottlenecks' },
    { pattern: /back to now|its own size|take it along|stop telling/i, instead: 'Latest, 100 %, Export, Disconnect' },
    { pattern: /comes? (back )?by itself/i, instead: 'reconnects' },
    { pattern: /too many points|a great deal/i, instead: 'rate limit' },
    { pattern: /moved on since|^not here/i, instead: 'changed, not found' },
    { pattern: /^make an? /i, instead: 'New, Add' },
    {
      pattern: /spoken with|ask it now|are not known|lead nowhere/i,
      instead: 'Transport, Check now, Tools unavailable',
    },
    { pattern: /present password|has no end|^I have it/i, instead: 'Current password, No expiry, Done' },
    { pattern: /^it is (closed|tried)/i, instead: 'Closed, Retrying' },
  ],
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
  test(`in ${locale} the texts use only one word for each term`, () => {
    const texts = [...listTexts(catalog[locale]), ...listTexts(consoleLanguageOf(locale).messages)]
    assert.ok(texts.length > 1_000, String(texts.length))
    const words = avoided[locale]
    const found = texts.flatMap(([path, text]) =>
      words
        .filter(({ pattern }) => pattern.test(text))
        .map(({ pattern, instead }) => `${path}: “${pattern.exec(text)?.[0]}”, write “${instead}”: ${text}`),
    )
    assert.deepEqual(found, [])
  })
