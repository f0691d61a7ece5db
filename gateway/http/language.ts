import { negotiateLocale } from '../../spec/messages/negotiateLocale.ts'
import type { PageLanguage } from '../../spec/pages/site.ts'
import type { RequestHead } from './request.ts'

/** The setting for paths that contain no language. */
export function browsersOwn({ headers }: Pick<RequestHead, 'headers'>): PageLanguage {
  return { locale: negotiateLocale(headers.get('accept-language')), localized: false }
}
