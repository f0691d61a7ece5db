/** Prints the document for the repository. People can read it, and a diff shows changes of the contract. */
import type { RestRoute } from '../../../spec/rest/restRoute.ts'
import { openApiDocument } from './document.ts'

/** A placeholder. Each server replaces it with its own origin. */
const placeholder = 'https://signalbox.invalid'

export function printOpenApi(routes: readonly RestRoute[]): string {
  return `${JSON.stringify(openApiDocument(routes, placeholder), null, 2)}\n`
}
