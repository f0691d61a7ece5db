import { randomUUID } from 'node:crypto'

const visible = /^[\x21-\x7e]{1,128}$/

/** The caller's own, where it is one of at most 128 visible ASCII characters, else a new UUID. */
export function requestIdFrom(header: string | undefined): string {
  return header !== undefined && visible.test(header) ? header : randomUUID()
}
