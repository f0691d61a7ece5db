/** Serves the OpenAPI document. The document contains the origin of the request. */
import { LRUCache } from 'lru-cache'
import { restRoutes } from '../../spec/rest/routes.ts'
import { serverRoutes } from '../../spec/settings/serverRoutes.ts'
import type { Origins } from '../http/origins.ts'
import { type ServedRoute, serve } from '../operations/restHandler.ts'
import { openApiDocument } from './openapi/document.ts'

/** A server has few origins, but if it serves any host, callers may invent them. */
const keptOrigins = 16

export function servedOpenApi(origins: Origins): readonly ServedRoute[] {
  const documents = new LRUCache<string, string>({
    max: keptOrigins,
    memoMethod: (origin) => JSON.stringify(openApiDocument(restRoutes, origin)),
  })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' }
  return [
    serve(serverRoutes.getOpenApi, ({ request }) => ({
      status: 200,
      headers,
      body: documents.memo(origins.baseUrl(request)),
    })),
  ]
}
