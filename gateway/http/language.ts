import { negotiateLocale } from '../../spec/messages/negotiateLocale.ts'
import type { Setting } from '../../spec/pages/site.ts'
import type { RequestHead } from './request.ts'

/** The setting for paths that contain no language. */
export function browsersOwn({ headers }: Pick<RequestHead, 'headers'>): Setting {
  return { locale: negotiateLocale(headers.get('accept-language')), localized: false }
}
