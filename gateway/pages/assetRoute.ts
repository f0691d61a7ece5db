/** Serves the files of the pages. The content of a path never changes, so browsers may cache it without a limit. */
import { Failure } from '../../spec/core/failure.ts'
import { encodings, type Site } from '../../spec/pages/site.ts'
import type { Answer, Route } from '../http/route.ts'

const forEver = 'public, max-age=31536000, immutable'
/** A script that a page starts as a worker has the policy of its own response. Like a page, it sends requests to this server. */
const policy = "default-src 'none'; script-src 'self'; connect-src 'self'"

export function assetRoute(site: Site): Route {
  return {
    method: 'GET',
    path: '/assets/{file}',
    access: 'public',
    handle: async ({ request }): Promise<Answer> => {
      const asset = site.assets.get(request.path)
      if (asset === undefined)
        throw new Failure('NOT_FOUND', 'There is no such file; the page that named it is of another version.')
      const encoding = accepted(request.headers.get('accept-encoding')).find((one) => asset.compressed[one])
      // Each encoding of a file has its own tag.
      const etag = `"${request.path.slice('/assets/'.length)}${encoding === undefined ? '' : `.${encoding}`}"`
      const headers = { etag, 'cache-control': forEver, 'content-security-policy': policy, vary: 'Accept-Encoding' }
      if (known(request.headers.get('if-none-match'), etag)) return { status: 304, headers }
      return {
        status: 200,
        headers: {
          ...headers,
          'content-type': asset.contentType,
          ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
        },
        body: (encoding && (await asset.compressed[encoding]?.())) ?? asset.bytes,
      }
    },
  }
}

/** The accepted encodings in the site's order: the smallest first. */
function accepted(header: string | undefined) {
  const named = (header ?? '').split(',').map((entry) => entry.trim().toLowerCase())
  return encodings.filter((encoding) =>
    named.some((entry) => new RegExp(`^${encoding}\\s*(;\\s*q=(?!0(\\.0*)?$).*)?$`).test(entry)),
  )
}

function known(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
