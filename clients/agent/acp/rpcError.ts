import { messageOf } from '../failures.ts'

/** The maximum length of an error's details in a message, in characters. */
const detailsMax = 400

/**
 * Describes an error of a coding CLI. The message of a JSON-RPC error is often only “Internal error”. The reason is then in `data`, which
 * JSON-RPC does not define: CLIs send a text, or an object with a text in one of these fields.
 */
export function describeRpcError(error: unknown): string {
  const message = messageOf(error)
  const details = detailsOf((error as { readonly data?: unknown } | null | undefined)?.data)
  if (details === undefined || message.includes(details)) return message
  return details.includes(message) ? details : `${message.replace(/[.:]$/, '')}: ${details}`
}

function detailsOf(data: unknown): string | undefined {
  const text = typeof data === 'string' ? data : (textIn(data) ?? (data == null ? undefined : JSON.stringify(data)))
  if (text === undefined || text === '' || text === '{}') return undefined
  return text.length > detailsMax ? `${text.slice(0, detailsMax - 1)}…` : text
}

function textIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { details, message, error, reason } = data as Readonly<Record<string, unknown>>
  for (const found of [details, message, reason, error]) {
    if (typeof found === 'string' && found !== '') return found
    const inner = textIn(found)
    if (inner !== undefined) return inner
  }
  return undefined
}
