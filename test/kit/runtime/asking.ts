/** Operations carried out as the gateway does it, input checks included, on the actors and the storage that a test gives. */
import pino from 'pino'
import type { RequestOperation } from '../../../actors/effects/requestOperation.ts'
import { createIds } from '../../../gateway/ids.ts'
import { defaultLimits, type Limits } from '../../../gateway/limits/limits.ts'
import { serveActorRequests } from '../../../gateway/operations/actorRequests.ts'
import { contexts } from '../../../gateway/operations/context.ts'
import { Executor } from '../../../gateway/operations/execute.ts'
import type { Operation } from '../../../gateway/operations/handler.ts'
import { operations } from '../../../gateway/operations/operations.ts'
import { builtinTools } from '../../../gateway/operations/tools/builtin.ts'
import type { GatewayOptions } from '../../../gateway/options.ts'
import type { Principal } from '../../../spec/core/principal.ts'

/** @throws Failure */
export type Ask = <T>(name: string, input?: Record<string, unknown>, as?: Principal) => Promise<T>

export const somebody: Principal = { kind: 'user', userId: 'usr_01h455vb4pex5vsknk084sn02q' } as Principal

export interface Asking {
  readonly ask: Ask
  /** As a tool of MCP: the caller may be a run, which is restricted to its own objects. */
  readonly askTool: Ask
  /** For the effects of actors. */
  readonly requestOperation: RequestOperation
  /** Names of the built-in tools. */
  readonly builtin: readonly string[]
}

/** They are the same for all tests. */
const tools = builtinTools(operations)

type Given = Pick<GatewayOptions, 'system' | 'clock' | 'views'> & Partial<GatewayOptions>

export function asking(given: Given, changed: Partial<Limits> = {}): Asking {
  const limits = { ...defaultLimits, ...changed }
  const settings = { rawCrashReportRetentionDays: 90 }
  const options = { operations, settings, ids: createIds(given.clock), ...given } as unknown as GatewayOptions
  const makeContext = contexts(options, limits, tools, () => ({
    local: 'http://localhost:3000',
    remote: null,
    lan: [],
  }))
  const executor = new Executor({ ...options, log: pino({ level: 'silent' }) })
  const contextOf = (principal: Principal) =>
    makeContext({
      principal,
      requestId: 'r',
      now: given.clock.now(),
      begunAt: given.clock.monotonic(),
      baseUrl: '',
      forwardedOrigin: null,
      agentWsUrl: '',
    })
  return {
    requestOperation: serveActorRequests({ ...options, executor, makeContext }),
    builtin: [...contextOf(somebody).tools.keys()],
    async ask<T>(name: string, input: Record<string, unknown> = {}, principal = somebody): Promise<T> {
      const asked = operation(name)
      if (asked.kind === 'subscription') throw new Error(`${name} is a subscription`)
      return (await executor.execute(asked, input, contextOf(principal))) as T
    },
    async askTool<T>(name: string, input: Record<string, unknown> = {}, principal = somebody): Promise<T> {
      const asked = operation(name)
      if (asked.kind !== 'query' && asked.kind !== 'mutation') throw new Error(`${name} is not a tool`)
      return (await executor.executeTool(asked, input, contextOf(principal))) as T
    },
  }
}

function operation(name: string): Operation {
  const found = operations.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no operation ${name}`)
  return found
}
