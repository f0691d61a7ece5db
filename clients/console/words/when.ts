/** A while from now, as the language says it: `in 5 minutes`. Rounded up, so that nobody comes too early. */
export function when(seconds: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale)
  return seconds < 90
    ? format.format(Math.max(1, Math.ceil(seconds)), 'second')
    : format.format(Math.ceil(seconds / 60), 'minute')
}
