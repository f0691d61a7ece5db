/** What stands in an export beside the records, in each language. */

import type { Locale } from '../../../../spec/pages/locales.ts'
import type { PlainColumn } from '../../../../spec/telemetry/columns.ts'
import type { TelemetryKind } from '../../../../spec/telemetry/record.ts'

export interface Words {
  readonly titles: Readonly<Record<TelemetryKind, string>>
  readonly columns: Readonly<Record<PlainColumn, string>>
  readonly made: string
  readonly from: string
  readonly to: string
  readonly text: string
  readonly none: string
  /** `count` is written in the language already. */
  records(count: string): string
  cut(count: string): string
  page(number: string, of: string): string
  /** Of a PDF: some characters have no glyph. */
  replaced(sign: string): string
}

const en: Words = {
  titles: { CONSOLE_LOG: 'Console logs', ANALYTICS_EVENT: 'Analytics events' },
  columns: {
    timestamp: 'Time',
    observedTimestamp: 'Received',
    severityText: 'Severity',
    severityNumber: 'Severity number',
    eventName: 'Event',
    body: 'Message',
    attributes: 'Attributes',
    resource: 'Resource',
    sessionId: 'Session',
    traceId: 'Trace',
    spanId: 'Span',
    recordId: 'Record',
  },
  made: 'Made',
  from: 'From',
  to: 'Until',
  text: 'Text',
  none: 'No records.',
  records: (count) => `Records: ${count}`,
  cut: (count) => `Cut off: only the newest ${count} records are in this file.`,
  page: (number, of) => `Page ${number} of ${of}`,
  replaced: (sign) => `${sign} stands for characters that this file has no letters for.`,
}

const de: Words = {
  titles: { CONSOLE_LOG: 'Konsolenprotokolle', ANALYTICS_EVENT: 'Analyse-Ereignisse' },
  columns: {
    timestamp: 'Zeit',
    observedTimestamp: 'Empfangen',
    severityText: 'Schweregrad',
    severityNumber: 'Schweregrad (Zahl)',
    eventName: 'Ereignis',
    body: 'Meldung',
    attributes: 'Attribute',
    resource: 'Ressource',
    sessionId: 'Sitzung',
    traceId: 'Trace',
    spanId: 'Span',
    recordId: 'Eintrag',
  },
  made: 'Erstellt',
  from: 'Von',
  to: 'Bis',
  text: 'Text',
  none: 'Keine Einträge.',
  records: (count) => `Einträge: ${count}`,
  cut: (count) => `Abgeschnitten: Diese Datei enthält nur die neuesten ${count} Einträge.`,
  page: (number, of) => `Seite ${number} von ${of}`,
  replaced: (sign) => `${sign} steht für Zeichen, die diese Datei nicht darstellen kann.`,
}

const fr: Words = {
  titles: { CONSOLE_LOG: 'Journaux de console', ANALYTICS_EVENT: 'Événements d’analyse' },
  columns: {
    timestamp: 'Heure',
    observedTimestamp: 'Reçu',
    severityText: 'Gravité',
    severityNumber: 'Gravité (nombre)',
    eventName: 'Événement',
    body: 'Message',
    attributes: 'Attributs',
    resource: 'Ressource',
    sessionId: 'Session',
    traceId: 'Trace',
    spanId: 'Span',
    recordId: 'Enregistrement',
  },
  made: 'Créé',
  from: 'Du',
  to: 'Au',
  text: 'Texte',
  none: 'Aucun enregistrement.',
  records: (count) => `Enregistrements : ${count}`,
  cut: (count) => `Coupé : ce fichier ne contient que les ${count} enregistrements les plus récents.`,
  page: (number, of) => `Page ${number} sur ${of}`,
  replaced: (sign) => `${sign} remplace les caractères que ce fichier ne peut pas représenter.`,
}

const es: Words = {
  titles: { CONSOLE_LOG: 'Registros de consola', ANALYTICS_EVENT: 'Eventos de análisis' },
  columns: {
    timestamp: 'Hora',
    observedTimestamp: 'Recibido',
    severityText: 'Gravedad',
    severityNumber: 'Gravedad (número)',
    eventName: 'Evento',
    body: 'Mensaje',
    attributes: 'Atributos',
    resource: 'Recurso',
    sessionId: 'Sesión',
    traceId: 'Traza',
    spanId: 'Span',
    recordId: 'Registro',
  },
  made: 'Creado',
  from: 'Desde',
  to: 'Hasta',
  text: 'Texto',
  none: 'No hay registros.',
  records: (count) => `Registros: ${count}`,
  cut: (count) => `Cortado: este archivo solo contiene los ${count} registros más recientes.`,
  page: (number, of) => `Página ${number} de ${of}`,
  replaced: (sign) => `${sign} sustituye a los caracteres que este archivo no puede mostrar.`,
}

const ja: Words = {
  titles: { CONSOLE_LOG: 'コンソールログ', ANALYTICS_EVENT: '分析イベント' },
  columns: {
    timestamp: '日時',
    observedTimestamp: '受信日時',
    severityText: '重大度',
    severityNumber: '重大度（数値）',
    eventName: 'イベント',
    body: 'メッセージ',
    attributes: '属性',
    resource: 'リソース',
    sessionId: 'セッション',
    traceId: 'トレース',
    spanId: 'スパン',
    recordId: 'レコード',
  },
  made: '作成日時',
  from: '開始',
  to: '終了',
  text: '文字列',
  none: '記録はありません。',
  records: (count) => `件数: ${count}`,
  cut: (count) => `省略あり: このファイルには新しい順に${count}件のみ含まれています。`,
  page: (number, of) => `${number} / ${of} ページ`,
  replaced: (sign) => `${sign} は、このファイルで表示できない文字の代わりです。`,
}

export const words: Readonly<Record<Locale, Words>> = { en, de, fr, es, ja }
