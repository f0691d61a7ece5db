/** Replaces names in braces by their values. A value is not searched for names: a run may have the name `{name}`. */
export function format(message: string, values: Readonly<Record<string, string>>): string {
  return message.replace(/\{(\w+)\}/g, (braces, name: string) => values[name] ?? braces)
}

/** Returns a future time in the form of the language: `in 5 minutes`. It is rounded up, so that no user retries too early. */
export function formatDelay(seconds: number, locale: string): string {
  const relative = new Intl.RelativeTimeFormat(locale)
  return seconds < 90
    ? relative.format(Math.max(1, Math.ceil(seconds)), 'second')
    : relative.format(Math.ceil(seconds / 60), 'minute')
}
