/** The parts of charts, and the time that a chart shows. */
import { defineMessages } from '../message.ts'

export const chartMessages = defineMessages({
  time: { en: 'Time', de: 'Zeit', fr: 'Temps', es: 'Hora', ja: '時間' },
  /** The name of the control that selects a value of the chart. */
  values: {
    en: '{title}: values over time',
    de: '{title}: Werte im Zeitverlauf',
    fr: '{title} : valeurs au fil du temps',
    es: '{title}: valores a lo largo del tiempo',
    ja: '{title}: 時間ごとの値',
  },
  /** The reading of one value: the name of its line or bar, and the value. */
  value: {
    en: '{name}: {value}',
    de: '{name}: {value}',
    fr: '{name} : {value}',
    es: '{name}: {value}',
    ja: '{name}: {value}',
  },
  table: {
    en: 'Show as table',
    de: 'Als Tabelle anzeigen',
    fr: 'Afficher en tableau',
    es: 'Mostrar como tabla',
    ja: '表で表示',
  },
  tableOf: {
    en: 'Show as table: {title}',
    de: 'Als Tabelle anzeigen: {title}',
    fr: 'Afficher en tableau : {title}',
    es: 'Mostrar como tabla: {title}',
    ja: '表で表示: {title}',
  },
  period: {
    label: { en: 'Period', de: 'Zeitraum', fr: 'Période', es: 'Periodo', ja: '期間' },
    hour: { en: 'Last hour', de: 'Letzte Stunde', fr: 'Dernière heure', es: 'Última hora', ja: '過去1時間' },
    day: {
      en: 'Last 24 hours',
      de: 'Letzte 24 Stunden',
      fr: 'Dernières 24 heures',
      es: 'Últimas 24 horas',
      ja: '過去24時間',
    },
    week: { en: 'Last 7 days', de: 'Letzte 7 Tage', fr: '7 derniers jours', es: 'Últimos 7 días', ja: '過去7日間' },
    month: {
      en: 'Last 30 days',
      de: 'Letzte 30 Tage',
      fr: '30 derniers jours',
      es: 'Últimos 30 días',
      ja: '過去30日間',
    },
    quarter: {
      en: 'Last 90 days',
      de: 'Letzte 90 Tage',
      fr: '90 derniers jours',
      es: 'Últimos 90 días',
      ja: '過去90日間',
    },
    year: {
      en: 'Last 12 months',
      de: 'Letzte 12 Monate',
      fr: '12 derniers mois',
      es: 'Últimos 12 meses',
      ja: '過去12か月',
    },
    own: {
      en: 'From … to …',
      de: 'Von … bis …',
      fr: 'Du … au …',
      es: 'Desde … hasta …',
      ja: '期間を指定…',
    },
    from: { en: 'First day', de: 'Erster Tag', fr: 'Premier jour', es: 'Primer día', ja: '開始日' },
    to: { en: 'Last day', de: 'Letzter Tag', fr: 'Dernier jour', es: 'Último día', ja: '終了日' },
    missing: {
      en: 'Enter both days.',
      de: 'Geben Sie beide Tage an.',
      fr: 'Indiquez les deux jours.',
      es: 'Indique los dos días.',
      ja: '開始日と終了日を入力してください。',
    },
    wrongOrder: {
      en: 'The last day must not be before the first day.',
      de: 'Der letzte Tag darf nicht vor dem ersten liegen.',
      fr: 'Le dernier jour ne doit pas précéder le premier.',
      es: 'El último día no debe ser anterior al primero.',
      ja: '終了日は開始日以降にしてください。',
    },
    future: {
      en: 'The first day must not be in the future.',
      de: 'Der erste Tag darf nicht in der Zukunft liegen.',
      fr: 'Le premier jour ne doit pas être dans le futur.',
      es: 'El primer día no debe estar en el futuro.',
      ja: '開始日に未来の日付は指定できません。',
    },
    tooLong: {
      en: 'The period has {days} days. It can have at most {limit}.',
      de: 'Der Zeitraum hat {days} Tage. Höchstens {limit} sind möglich.',
      fr: 'La période a {days} jours. Elle peut en avoir {limit} au plus.',
      es: 'El periodo tiene {days} días. Puede tener {limit} como máximo.',
      ja: '期間は {days} 日です。最長 {limit} 日まで指定できます。',
    },
  },
})
