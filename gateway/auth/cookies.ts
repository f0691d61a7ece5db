/** The session cookie: `__Host-signalbox` on https, `signalbox` on plain http, where a `__Host-` cookie would be dropped. */

const sessionCookieNames = ['__Host-signalbox', 'signalbox'] as const

/** Returns all values of session cookies in the header. */
export function sessionCookies(header: string | undefined): string[] {
  if (header === undefined) return []
  const values: string[] = []
  for (const part of header.split(';')) {
    const cut = part.indexOf('=')
    if (cut < 0) continue
    const name = part.slice(0, cut).trim()
    if (name === sessionCookieNames[0] || name === sessionCookieNames[1]) values.push(part.slice(cut + 1).trim())
  }
  return values
}

/** @param maxAge seconds */
export function sessionCookie(token: string, secure: boolean, maxAge: number | undefined): string {
  const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`
  return secure
    ? `__Host-signalbox=${token}; Path=/${age}; HttpOnly; SameSite=Lax; Secure`
    : `signalbox=${token}; Path=/${age}; HttpOnly; SameSite=Lax`
}

export function clearedCookies(secure: boolean): readonly string[] {
  const plain = 'signalbox=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'
  return secure ? ['__Host-signalbox=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure', plain] : [plain]
}
