/** GraphiQL from the installed package, without internet access: one page of 9 MB, loaded on the first request. */
import type { Answer } from '../http/route.ts'

let page: Promise<Buffer> | undefined

export async function graphiqlPage(): Promise<Answer> {
  page ??= import('@graphql-yoga/render-graphiql').then(({ renderGraphiQL }) =>
    Buffer.from(renderGraphiQL({ title: 'Signalbox', subscriptionsProtocol: 'WS', defaultQuery: '{ __typename }' })),
  )
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // The page contains its scripts and styles inline, and its editor starts workers from blobs.
      'content-security-policy':
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; " +
        "img-src 'self' data:; font-src 'self' data:; worker-src blob:; connect-src 'self' ws: wss:; frame-ancestors 'none'",
    },
    body: await page,
  }
}
