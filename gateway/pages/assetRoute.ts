/** Serves the files of the pages. The content of a path never changes, so browsers may cache it without a limit. */
import { Failure } from '../../spec/core/failure.ts'
import type { Site } from '../../spec/pages/site.ts'
import type { Answer, Route } from '../http/route.ts'
import { assetAnswer } from './assetAnswer.ts'

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
      const answer = await assetAnswer(request, asset, request.path.slice('/assets/'.length), forEver)
      return { ...answer, headers: { ...answer.headers, 'content-security-policy': policy } }
    },
  }
}
