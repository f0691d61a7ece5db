/** The next request after a redirect. Pure. The address is checked later, as every address is. */
import { OutboundFailed } from '../../../spec/core/outboundFailed.ts'
import { type Outgoing, webUrl } from './outgoing.ts'

const statuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export function isRedirect(status: number, location: string | undefined): location is string {
  return statuses.has(status) && location !== undefined
}

/** @throws OutboundFailed FORBIDDEN_REDIRECT */
export function redirected(from: Outgoing, status: number, location: string): Outgoing {
  const refuse = (where: string) =>
    new OutboundFailed('FORBIDDEN_REDIRECT', `${from.url.host} redirects ${where}, which is not followed.`)
  // Node decodes headers as Latin-1, but servers send UTF-8 in them today.
  const url = webUrl(Buffer.from(location, 'latin1').toString(), from.url)
  if (url === undefined) throw refuse('to what is not an http or https URL, or has a user name or password in it')
  if (from.url.protocol === 'https:' && url.protocol === 'http:') throw refuse('from https to http')
  const elsewhere = url.origin !== from.url.origin
  const headers = new Headers(from.headers)
  // The credentials stay removed for all further redirects, even if one leads back.
  if (elsewhere) for (const name of from.credentialHeaders) headers.delete(name)
  if (turnsToGet(from.method, status)) {
    for (const name of [...headers.keys()]) if (name.startsWith('content-')) headers.delete(name)
    return { ...from, url, headers, method: 'GET', body: undefined }
  }
  // A body may have a credential too, for example the body of a token request.
  if (from.body !== undefined && elsewhere) throw refuse('a request with a body to another origin')
  if (from.body instanceof ReadableStream) throw refuse('a request whose body can be sent only once')
  return { ...from, url, headers }
}

function turnsToGet(method: string, status: number): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD'
  return (status === 301 || status === 302) && method === 'POST'
}
