/** The titles of notifications in the languages of the service. The body has the name of the object, which is not translated. */

import type { News, NewsReason } from '../../../spec/devices/news.ts'
import { type Locale, locales } from '../../../spec/pages/locales.ts'

type RunKind = NonNullable<News['run']>['kind']
type RunEnd = 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'TIMED_OUT' | 'LOST' | 'SKIPPED'

/** `{run}` is the run's name in the language, `{number}` its number, `{name}` the name of the object. */
interface Texts {
  readonly run: Readonly<Record<RunKind, string>>
  readonly runEnded: Readonly<Record<RunEnd, string>>
  readonly planEnded: Readonly<Record<'COMPLETED' | 'FAILED', string>>
  readonly incidentIn: string
  readonly titles: Readonly<Record<Exclude<NewsReason, 'RUN_ENDED' | 'PLAN_ENDED'>, string>>
  readonly lostAtWork: string
}

const texts: Readonly<Record<Locale, Texts>> = {
  en: {
    run: { PLAN: 'Plan run {number}', SESSION: 'Session run {number}', WORKFLOW: 'Workflow run {number}' },
    runEnded: {
      SUCCEEDED: '{run} succeeded',
      FAILED: '{run} failed',
      CANCELED: '{run} was canceled',
      TIMED_OUT: '{run} ran out of time',
      LOST: '{run} was lost',
      SKIPPED: '{run} was skipped',
    },
    planEnded: { COMPLETED: 'A plan was carried out', FAILED: 'A plan failed' },
    incidentIn: 'Incident in {run}',
    titles: {
      WAITING_FOR_INPUT: '{run} waits for your answer',
      INCIDENT: 'Incident',
      AGENT_LOST: 'Agent {name} is lost',
      ACTION_NEEDED: 'Something waits for you',
      DEVICE_ENROLLED: 'A device was enrolled',
    },
    lostAtWork: 'It was at work and has gone silent.',
  },
  de: {
    run: { PLAN: 'Planlauf {number}', SESSION: 'Sitzungslauf {number}', WORKFLOW: 'Workflow-Lauf {number}' },
    runEnded: {
      SUCCEEDED: '{run} war erfolgreich',
      FAILED: '{run} ist fehlgeschlagen',
      CANCELED: '{run} wurde abgebrochen',
      TIMED_OUT: '{run} hat die Zeit überschritten',
      LOST: '{run} ging verloren',
      SKIPPED: '{run} wurde übersprungen',
    },
    planEnded: { COMPLETED: 'Ein Plan wurde ausgeführt', FAILED: 'Ein Plan ist fehlgeschlagen' },
    incidentIn: 'Störung in {run}',
    titles: {
      WAITING_FOR_INPUT: '{run} wartet auf deine Antwort',
      INCIDENT: 'Störung',
      AGENT_LOST: 'Agent {name} ist verloren',
      ACTION_NEEDED: 'Etwas wartet auf dich',
      DEVICE_ENROLLED: 'Ein Gerät wurde registriert',
    },
    lostAtWork: 'Er war bei der Arbeit und ist verstummt.',
  },
  fr: {
    run: {
      PLAN: 'Exécution de plan {number}',
      SESSION: 'Exécution de session {number}',
      WORKFLOW: 'Exécution de workflow {number}',
    },
    runEnded: {
      SUCCEEDED: '{run} : réussie',
      FAILED: '{run} : échec',
      CANCELED: '{run} : annulée',
      TIMED_OUT: '{run} : délai dépassé',
      LOST: '{run} : perdue',
      SKIPPED: '{run} : ignorée',
    },
    planEnded: { COMPLETED: 'Un plan a été exécuté', FAILED: 'Un plan a échoué' },
    incidentIn: 'Incident : {run}',
    titles: {
      WAITING_FOR_INPUT: '{run} : attend votre réponse',
      INCIDENT: 'Incident',
      AGENT_LOST: 'L’agent {name} est perdu',
      ACTION_NEEDED: 'Une action vous attend',
      DEVICE_ENROLLED: 'Un appareil a été inscrit',
    },
    lostAtWork: 'Il travaillait et ne répond plus.',
  },
  es: {
    run: {
      PLAN: 'Ejecución de plan {number}',
      SESSION: 'Ejecución de sesión {number}',
      WORKFLOW: 'Ejecución de flujo {number}',
    },
    runEnded: {
      SUCCEEDED: '{run}: correcta',
      FAILED: '{run}: fallida',
      CANCELED: '{run}: cancelada',
      TIMED_OUT: '{run}: tiempo agotado',
      LOST: '{run}: perdida',
      SKIPPED: '{run}: omitida',
    },
    planEnded: { COMPLETED: 'Se ha llevado a cabo un plan', FAILED: 'Un plan ha fallado' },
    incidentIn: 'Incidente: {run}',
    titles: {
      WAITING_FOR_INPUT: '{run}: espera tu respuesta',
      INCIDENT: 'Incidente',
      AGENT_LOST: 'El agente {name} se ha perdido',
      ACTION_NEEDED: 'Algo te espera',
      DEVICE_ENROLLED: 'Se ha inscrito un dispositivo',
    },
    lostAtWork: 'Estaba trabajando y ha dejado de responder.',
  },
  ja: {
    run: { PLAN: 'プラン実行 {number}', SESSION: 'セッション実行 {number}', WORKFLOW: 'ワークフロー実行 {number}' },
    runEnded: {
      SUCCEEDED: '{run} が成功しました',
      FAILED: '{run} が失敗しました',
      CANCELED: '{run} がキャンセルされました',
      TIMED_OUT: '{run} が時間切れになりました',
      LOST: '{run} が失われました',
      SKIPPED: '{run} がスキップされました',
    },
    planEnded: { COMPLETED: 'プランが完了しました', FAILED: 'プランが失敗しました' },
    incidentIn: '{run} でインシデントが発生しました',
    titles: {
      WAITING_FOR_INPUT: '{run} が回答を待っています',
      INCIDENT: 'インシデントが発生しました',
      AGENT_LOST: 'エージェント {name} が失われました',
      ACTION_NEEDED: '対応が必要です',
      DEVICE_ENROLLED: 'デバイスが登録されました',
    },
    lostAtWork: '作業中に応答がなくなりました。',
  },
}

/** `de-CH` is German. A language that the service does not support becomes English. */
export function localeOf(tag: string | undefined): Locale {
  const language = tag?.split(/[-_]/)[0]?.toLowerCase()
  return locales.find((locale) => locale === language) ?? 'en'
}

export function titleOf(news: News, locale: Locale): string {
  const own = texts[locale]
  const run = news.run && filled(own.run[news.run.kind], { number: String(news.run.number) })
  return filled(templateOf(news, own), { run: run ?? news.name, name: news.name })
}

function templateOf({ reason, status = '', run }: News, own: Texts): string {
  if (reason === 'RUN_ENDED') return own.runEnded[status as RunEnd] ?? '{run}'
  if (reason === 'PLAN_ENDED') return own.planEnded[status as 'COMPLETED' | 'FAILED'] ?? '{name}'
  return reason === 'INCIDENT' && run ? own.incidentIn : own.titles[reason]
}

/** @param agent the name of the agent on whose machine it happened */
export function bodyOf({ reason, name }: News, agent: string | null, locale: Locale): string {
  if (reason === 'AGENT_LOST') return texts[locale].lostAtWork
  return agent === null ? name : `${name} · ${agent}`
}

/** A filled-in value is not searched for placeholders: a run may have the name `{name}`. */
function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (braces, name: string) => values[name] ?? braces)
}
