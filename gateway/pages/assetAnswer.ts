/** The response with a file for browsers: compressed if the browser accepts it, and empty if the browser has the file already. */
import { type Asset, encodings } from '../../spec/pages/site.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Answer } from '../http/route.ts'

/** @param tag the entity tag, without quotes. It changes with the content */
export async function assetAnswer(
  { headers }: HttpRequest,
  asset: Asset,
  tag: string,
  cacheControl: string,
): Promise<Answer> {
  const encoding = accepted(headers.get('accept-encoding')).find((one) => asset.compressed[one])
  // Each encoding of a file has its own tag.
  const etag = `"${tag}${encoding === undefined ? '' : `.${encoding}`}"`
  const common = { etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' }
  if (known(headers.get('if-none-match'), etag)) return { status: 304, headers: common }
  return {
    status: 200,
    headers: {
      ...common,
      'content-type': asset.contentType,
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
    body: (encoding && (await asset.compressed[encoding]?.())) ?? asset.bytes,
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
