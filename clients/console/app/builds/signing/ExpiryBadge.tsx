/** When a signing asset expires: red if it has, amber in the last 30 days. */
import { signingExpiryDays } from '../../../../../spec/builds/signing/signingEnums.ts'
import { format, locale, messages } from '../../messages.ts'
import { useNow } from '../../parts/RelativeTime.tsx'
import { Badge } from '../../parts/StatusBadge.tsx'

const texts = messages.signing
const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const dayMs = 86_400_000

export function ExpiryBadge({ at }: { readonly at: string | null }) {
  const now = useNow()
  if (at === null) return <>{texts.never}</>
  const ms = Date.parse(at)
  const date = dateFormat.format(ms)
  if (ms <= now) return <Badge tone="failed" label={format(texts.expired, { date })} />
  const isSoon = ms - signingExpiryDays * dayMs <= now
  return <Badge tone={isSoon ? 'attention' : 'good'} label={format(texts.expires, { date })} />
}

export function formatDate(at: string | null): string {
  return at === null ? '–' : dateFormat.format(Date.parse(at))
}
