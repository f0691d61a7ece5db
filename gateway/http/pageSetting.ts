import { negotiateLocale } from '../../spec/messages/negotiateLocale.ts'
import { readPreferences } from '../../spec/pages/preferences.ts'
import type { PageSetting } from '../../spec/pages/site.ts'
import type { RequestHead } from './request.ts'

/** The setting for paths that contain no language: the language that the person has chosen, otherwise the browser's. */
export function browsersOwn({ headers }: Pick<RequestHead, 'headers'>): PageSetting {
  const { language, theme } = readPreferences(headers.get('cookie'))
  return { locale: language ?? negotiateLocale(headers.get('accept-language')), localized: false, theme }
}
