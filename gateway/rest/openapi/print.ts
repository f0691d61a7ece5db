/** The document as it is kept for people to read, and for a change of the contract to be seen in its diff. */
import type { RestRoute } from '../../../spec/rest/restRoute.ts'
import { openApiDocument } from './document.ts'

/** No server has this name: each one puts its own in. */
const placeholder = 'https://signalbox.invalid'

export function printOpenApi(routes: readonly RestRoute[]): string {
  return `${JSON.stringify(openApiDocument(routes, placeholder), null, 2)}\n`
}
