/** The deep link by which the browser returns to the app. It has a code and the app's state, or an error, and never a session. */
const callback = 'svc-auth://callback'

export function deepLink(parameters: Readonly<Record<string, string>>): string {
  // Not `URLSearchParams`, which writes a space as `+`: apps read such URLs by RFC 3986.
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${callback}?${query.join('&')}`
}
