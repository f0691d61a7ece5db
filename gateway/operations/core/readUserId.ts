import type { Principal } from '../../../spec/core/principal.ts'

/** The user of the request, or of its API key. Empty for other principals: no object belongs to them. */
export const readUserId = (principal: Principal): string =>
  principal.kind === 'user' || principal.kind === 'apiKey' ? principal.userId : ''
