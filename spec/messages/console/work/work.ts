/** Texts that the pages of workflows, schedules, plans and sessions share. */
import { defineMessages } from '../message.ts'

export const workMessages = defineMessages({
  tabs: {
    runs: { en: 'Runs', de: 'Läufe', fr: 'Exécutions', es: 'Ejecuciones', ja: '実行' },
    sessions: { en: 'Sessions', de: 'Sitzungen', fr: 'Sessions', es: 'Sesiones', ja: 'セッション' },
    plans: { en: 'Plans', de: 'Pläne', fr: 'Plans', es: 'Planes', ja: '計画' },
    workflows: { en: 'Workflows', de: 'Workflows', fr: 'Workflows', es: 'Flujos de trabajo', ja: 'ワークフロー' },
    schedules: { en: 'Schedules', de: 'Zeitpläne', fr: 'Planifications', es: 'Programaciones', ja: 'スケジュール' },
  },
  run: { en: 'Run', de: 'Lauf', fr: 'Exécution', es: 'Ejecución', ja: '実行' },
  session: { en: 'Session', de: 'Sitzung', fr: 'Session', es: 'Sesión', ja: 'セッション' },
  worktree: { en: 'Worktree', de: 'Worktree', fr: 'Worktree', es: 'Worktree', ja: 'ワークツリー' },
  created: { en: 'Created', de: 'Erstellt', fr: 'Création', es: 'Creación', ja: '作成' },
  lifecycle: { en: 'Lifecycle', de: 'Lebenszyklus', fr: 'Cycle de vie', es: 'Ciclo de vida', ja: 'ライフサイクル' },
  list: {
    anyStatus: {
      en: 'Any status',
      de: 'Jeder Status',
      fr: 'Tous les états',
      es: 'Cualquier estado',
      ja: 'すべての状態',
    },
    shown: {
      en: 'The first {shown} of {count} are shown.',
      de: 'Die ersten {shown} von {count} werden angezeigt.',
      fr: 'Les {shown} premiers sur {count} sont affichés.',
      es: 'Se muestran los primeros {shown} de {count}.',
      ja: '{count} 件のうち最初の {shown} 件を表示しています。',
    },
  },
  usage: {
    label: {
      en: 'Usage of the ended runs',
      de: 'Verbrauch der beendeten Läufe',
      fr: 'Consommation des exécutions terminées',
      es: 'Consumo de las ejecuciones terminadas',
      ja: '終了した実行の使用量',
    },
    input: {
      en: 'Input tokens',
      de: 'Eingabe-Token',
      fr: 'Jetons d’entrée',
      es: 'Tokens de entrada',
      ja: '入力トークン',
    },
    output: {
      en: 'Output tokens',
      de: 'Ausgabe-Token',
      fr: 'Jetons de sortie',
      es: 'Tokens de salida',
      ja: '出力トークン',
    },
    cost: { en: 'Cost', de: 'Kosten', fr: 'Coût', es: 'Coste', ja: '費用' },
  },
})
