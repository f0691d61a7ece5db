/** The client for every address that a user, a document or a peer gave. The port documents what it guarantees. */
import type { IncomingMessage } from 'node:http'
import { OutboundFailed } from '../../../spec/core/outboundFailed.ts'
import type { OutboundAllow } from '../../../spec/settings/schemas.ts'
import type { Clock } from '../../ports/clock.ts'
import { answered } from './answered.ts'
import { checkedAddresses, type Resolve, systemResolve } from './checkedAddresses.ts'
import { type Exchange, exchange } from './exchange.ts'
import { type Outgoing, outgoingOf } from './outgoing.ts'
import type { Outbound, OutboundLimits } from './port.ts'
import { isRedirect, redirected } from './redirected.ts'
import { RequestTimeouts } from './requestTimeouts.ts'

export interface OutboundOptions {
  /** `OUTBOUND_ALLOW`. */
  readonly allow: OutboundAllow | undefined
  readonly clock: Clock
  /** The resolver of this machine if omitted. */
  readonly resolve?: Resolve
}

/** The limits that a caller does not set. */
const defaultOutboundLimits: OutboundLimits = Object.freeze({
  connectMs: 10_000,
  firstByteMs: 30_000,
  wholeMs: 120_000,
  maxBytes: 10 * 1024 * 1024,
})

const mostRedirects = 5

export function createOutbound({ allow, clock, resolve = systemResolve }: OutboundOptions): Outbound {
  async function hop(outgoing: Outgoing, deadlines: RequestTimeouts, limits: OutboundLimits): Promise<Exchange> {
    const connected = deadlines.start(`${outgoing.url.host} could not be connected to`, limits.connectMs)
    try {
      const addresses = await deadlines.race(() => checkedAddresses(outgoing.url, { resolve, allow }))
      return await exchange({ outgoing, addresses, deadlines, limits, connected })
    } finally {
      connected()
    }
  }

  return {
    async fetch(url, { redirect = 'follow', signal, limits: given, ...request } = {}) {
      const limits = { ...defaultOutboundLimits, ...given }
      let outgoing = await outgoingOf(url, request)
      const deadlines = new RequestTimeouts(clock, signal)
      const ended = () => deadlines.close()
      try {
        deadlines.start(`${outgoing.url.host} did not answer in whole`, limits.wholeMs)
        for (let redirects = 0; ; redirects++) {
          const current = await hop(outgoing, deadlines, limits)
          const { statusCode = 0, headers } = current.message
          if (redirect === 'manual' || !isRedirect(statusCode, headers.location)) {
            const { url, method } = outgoing
            const { maxBytes } = limits
            return answeredOrEnded({ exchange: current, url, method, maxBytes, signal: deadlines.signal, ended })
          }
          drop(current)
          refuseRedirect(outgoing.url, redirect, redirects)
          outgoing = redirected(outgoing, statusCode, headers.location)
        }
      } catch (error) {
        ended()
        throw error
      }
    },
  }
}

function answeredOrEnded(parts: Parameters<typeof answered>[0]): Response {
  try {
    return answered(parts)
  } catch (error) {
    drop(parts.exchange)
    throw error
  }
}

/** Ends an exchange whose body is not read. */
function drop({ message, end }: { readonly message: IncomingMessage; end(): void }): void {
  message.on('error', () => {})
  end()
}

function refuseRedirect({ host }: URL, redirect: 'follow' | 'error', before: number): void {
  if (redirect === 'error') throw new OutboundFailed('FORBIDDEN_REDIRECT', `${host} redirects, which is not followed.`)
  if (before >= mostRedirects)
    throw new OutboundFailed('TOO_MANY_REDIRECTS', `${host} redirects once more after ${mostRedirects} redirects.`)
}
