/**
 * The operations that requests have reached, read from the program's own log. The log has a line for each operation whose handler
 * is called, which is after every check of caller and input.
 */
import { handledLine } from '../../../gateway/observability/handled.ts'
import type { CallerKind } from './callers/caller.ts'

const mark = `"msg":"${handledLine}"`
const rememberedRequests = 50_000

export class Reach {
  readonly #counts = new Map<string, number>()
  readonly #asked = new Map<string, CallerKind>()
  readonly #names = new Map<string, CallerKind>()
  readonly #seen = new Set<string>()
  /** The number of requests that have reached a handler. */
  valid = 0

  /** A request over HTTP is identified by its ID. */
  expect(requestId: string, kind: CallerKind): void {
    this.#asked.set(requestId, kind)
    if (this.#asked.size > rememberedRequests) forgetFirst(this.#asked)
  }

  /** The server generates the ID of a request over a socket, so its principal identifies it. */
  name(principal: string, kind: CallerKind): void {
    this.#names.set(principal, kind)
  }

  read(line: string): void {
    if (!line.includes(mark)) return
    const { requestId, operation, principal } = JSON.parse(line) as Record<string, string>
    if (requestId === undefined || operation === undefined || requestId.startsWith('up-')) return
    const kind = this.#asked.get(requestId) ?? this.#names.get(principal ?? '')
    if (kind === undefined) return
    // A query that fails while it is compiled is executed again. It still counts as one request.
    const once = `${requestId} ${operation}`
    if (this.#seen.has(once)) return
    if (!this.#seen.has(requestId)) this.valid++
    this.#seen.add(once).add(requestId)
    if (this.#seen.size > 2 * rememberedRequests) forgetFirst(this.#seen)
    const cell = cellOf(operation, kind)
    this.#counts.set(cell, (this.#counts.get(cell) ?? 0) + 1)
  }

  count(operation: string, kind: CallerKind): number {
    return this.#counts.get(cellOf(operation, kind)) ?? 0
  }
}

const cellOf = (operation: string, kind: CallerKind): string => `${operation} × ${kind}`

function forgetFirst<T>(from: Map<T, unknown> | Set<T>): void {
  for (const first of from.keys()) {
    from.delete(first)
    return
  }
}
