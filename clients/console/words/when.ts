/** Returns a future time in the language's form: `in 5 minutes`. Rounded up, so that no user retries too early. */
export function when(seconds: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale)
  return seconds < 90
    ? format.format(Math.max(1, Math.ceil(seconds)), 'second')
    : format.format(Math.ceil(seconds / 60), 'minute')
}
