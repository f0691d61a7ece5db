/** The page of tools: its sections, and the texts that they share. */
import { defineMessages } from '../message.ts'
import { mcpServerMessages } from './mcpServers.ts'
import { presetImportMessages } from './presetImport.ts'
import { presetMessages } from './presets.ts'
import { toolCallMessages } from './toolCalls.ts'

export const toolsMessages = {
  ...mcpServerMessages,
  ...presetImportMessages,
  ...presetMessages,
  ...toolCallMessages,
  ...defineMessages({
    sections: {
      presets: { en: 'Presets', de: 'Presets', fr: 'Préréglages', es: 'Preajustes', ja: 'プリセット' },
      servers: {
        en: 'External servers',
        de: 'Externe Server',
        fr: 'Serveurs externes',
        es: 'Servidores externos',
        ja: '外部サーバー',
      },
      audit: { en: 'Audit', de: 'Audit', fr: 'Audit', es: 'Auditoría', ja: '監査' },
    },
    noSuchSection: {
      en: 'There is no section {section} in the tools.',
      de: 'Bei den Werkzeugen gibt es keinen Bereich {section}.',
      fr: 'Il n’y a pas de section {section} dans les outils.',
      es: 'No existe la sección {section} en las herramientas.',
      ja: 'ツールに {section} というセクションはありません。',
    },
    name: { en: 'Name', de: 'Name', fr: 'Nom', es: 'Nombre', ja: '名前' },
    edit: { en: 'Edit', de: 'Bearbeiten', fr: 'Modifier', es: 'Editar', ja: '編集' },
    delete: { en: 'Delete', de: 'Löschen', fr: 'Supprimer', es: 'Eliminar', ja: '削除' },
    /** The name of a button of a list, for screen readers, and the title of its dialog. */
    actionOn: {
      en: '{action}: {name}',
      de: '{action}: {name}',
      fr: '{action} : {name}',
      es: '{action}: {name}',
      ja: '{action}: {name}',
    },
    /** The server, after the name of a tool. */
    ofServer: {
      en: 'of {server}',
      de: 'von {server}',
      fr: 'de {server}',
      es: 'de {server}',
      ja: '（{server}）',
    },
    toolsUnavailable: {
      en: 'Tools unavailable: {problem}',
      de: 'Werkzeuge nicht verfügbar: {problem}',
      fr: 'Outils indisponibles : {problem}',
      es: 'Herramientas no disponibles: {problem}',
      ja: 'ツールを利用できません: {problem}',
    },
    serverHasNoTools: {
      en: 'The server has no tools.',
      de: 'Der Server hat keine Werkzeuge.',
      fr: 'Le serveur n’a aucun outil.',
      es: 'El servidor no tiene herramientas.',
      ja: 'このサーバーにはツールがありません。',
    },
    catalogFailed: {
      en: 'The server did not return its tool catalog.',
      de: 'Der Server hat seinen Werkzeugkatalog nicht geliefert.',
      fr: 'Le serveur n’a pas renvoyé sa liste d’outils.',
      es: 'El servidor no devolvió su catálogo de herramientas.',
      ja: 'サーバーがツールカタログを返しませんでした。',
    },
  }),
} as const
