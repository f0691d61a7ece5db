/** The pages of a user's own account. */
import { defineMessages } from './message.ts'

export const accountsMessages = defineMessages({
  appearance: { en: 'Appearance', de: 'Darstellung', fr: 'Apparence', es: 'Apariencia', ja: '表示' },
  theme: {
    label: { en: 'Theme', de: 'Farbschema', fr: 'Thème', es: 'Tema', ja: 'テーマ' },
    system: { en: 'System', de: 'System', fr: 'Système', es: 'Sistema', ja: 'システム' },
    light: { en: 'Light', de: 'Hell', fr: 'Clair', es: 'Claro', ja: 'ライト' },
    dark: { en: 'Dark', de: 'Dunkel', fr: 'Sombre', es: 'Oscuro', ja: 'ダーク' },
  },
  language: { en: 'Language', de: 'Sprache', fr: 'Langue', es: 'Idioma', ja: '言語' },
})
