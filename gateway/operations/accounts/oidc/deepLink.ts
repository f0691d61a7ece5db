/** How the browser gives the app its answer: a code and the app's own state, or an error; never a session. */
const callback = 'svc-auth://callback'

export function deepLink(parameters: Readonly<Record<string, string>>): string {
  // Not `URLSearchParams`, which writes a space as `+`: apps read such URLs by RFC 3986.
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${callback}?${query.join('&')}`
}
