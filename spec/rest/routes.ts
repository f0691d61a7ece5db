/** Every declared REST route: the OpenAPI document has them in this order. */
import { accountRoutes } from './accountRoutes.ts'
import { codebaseRoutes } from './codebaseRoutes.ts'
import type { RestRoute } from './restRoute.ts'
import { serverRoutes } from './serverRoutes.ts'

export const restRoutes: readonly RestRoute[] = Object.freeze([
  ...Object.values(codebaseRoutes),
  ...Object.values(accountRoutes),
  ...Object.values(serverRoutes),
])
