import { randomUUID } from 'node:crypto'

const visible = /^[\x21-\x7e]{1,128}$/

/** Returns the caller's own ID if it has at most 128 characters, all visible ASCII. Otherwise returns a new UUID. */
export function requestIdFrom(header: string | undefined): string {
  return header !== undefined && visible.test(header) ? header : randomUUID()
}
