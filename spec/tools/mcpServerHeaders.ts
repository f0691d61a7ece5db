/** Headers that a person saves for an external MCP server. Their values are credentials, or treated as such. */
import * as v from 'valibot'
import { named, text } from '../core/types.ts'

/** They frame the message or belong to the protocol: the client sets them itself. */
const reserved: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const token = /^[a-zA-Z0-9!#$%&'*+.^_`|~-]+$/
/** Visible ASCII, blanks in between: what every server takes. */
const value = /^[!-~](?:[ -~\t]*[!-~])?$/

const name = v.pipe(
  text({ min: 1, max: 100 }),
  v.check((given) => token.test(given), 'must be the name of a header: letters, digits and - _ . for the most part'),
  v.check((given) => !reserved.has(given.toLowerCase()), 'must not be a header that the client itself sets'),
)

/** How many one request may name; how many a server may have is its machine's rule. */
const atOnce = 10

export const headersToSet = v.pipe(
  v.nullish(
    v.pipe(
      v.array(
        named(
          'McpServerHeaderInput',
          'A header that is sent with every request to the server. Its value is never shown again.',
          v.object({
            name,
            value: v.pipe(
              text({ min: 1, max: 4_096 }),
              v.check((given) => value.test(given), 'must be visible ASCII without blanks at its ends'),
            ),
          }),
        ),
      ),
      v.maxLength(atOnce),
    ),
  ),
  v.description('Added, or put in the place of the one that has the name.'),
)

export const headersToRemove = v.pipe(
  v.nullish(v.pipe(v.array(name), v.maxLength(atOnce))),
  v.description('Names of headers that it is not sent any more; one that it does not have is passed over.'),
)
