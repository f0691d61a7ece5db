/** Headers that a user saves for an external MCP server. Their values are treated as credentials. */
import * as v from 'valibot'
import { named, text } from '../core/types.ts'

/** Headers that frame the message or belong to the protocol. The client sets them itself. */
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
/** Visible ASCII with blanks in between. Every server accepts it. */
const value = /^[!-~](?:[ -~\t]*[!-~])?$/

const name = v.pipe(
  text({ min: 1, max: 100 }),
  v.check((given) => token.test(given), 'must be the name of an HTTP header: usually letters, digits and - _ .'),
  v.check((given) => !reserved.has(given.toLowerCase()), 'must not be a header that the client itself sets'),
)

/** The most headers that one request can name. The server's machine limits how many a server can have. */
const atOnce = 10

export const headersToSet = v.pipe(
  v.nullish(
    v.pipe(
      v.array(
        named(
          'McpServerHeaderInput',
          'A header that is sent with every request to the server. Its value is never returned.',
          v.object({
            name,
            value: v.pipe(
              text({ min: 1, max: 4_096 }),
              v.check((given) => value.test(given), 'must be visible ASCII without spaces at its ends'),
            ),
          }),
        ),
      ),
      v.maxLength(atOnce),
    ),
  ),
  v.description('The headers to add. A header replaces one with the same name.'),
)

export const headersToRemove = v.pipe(
  v.nullish(v.pipe(v.array(name), v.maxLength(atOnce))),
  v.description('The names of the headers to remove. Names that the server does not have are ignored.'),
)
