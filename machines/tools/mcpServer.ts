/**
 * An external MCP server: its address, the headers that it is sent, and the result of the last request to it. Callers report a result only
 * if it changes this state. Headers are encrypted. They are stored only in the context and never in `init`, which is stored permanently.
 */
import { setup } from 'xstate'
import { type BackOffPolicy, backOffMs } from '../../spec/core/backOff.ts'
import { Failure } from '../../spec/core/failure.ts'
import type { McpTransport } from '../../spec/tools/external.ts'
import { act, actOn, type Outcome } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { type ExpectsRevision, edit, type Revised, refuseStale } from '../framework/revision.ts'

/** How long the circuit breaker stays open each time that it opens. */
const openPolicy: BackOffPolicy = { firstMs: 30_000, factor: 2, mostMs: 600_000, jitter: 0 }

/** The headers are part of the snapshot, so their number is limited. */
const mostHeaders = 10

export type McpServerInit = {
  readonly name: string
  readonly catalogPrefix: string | null
  readonly url: string
  readonly transport: McpTransport
  readonly createdBy: string
  readonly createdAt: number
}

export interface McpServerContext extends MachineContext, Revised {
  readonly init: McpServerInit
  readonly id: string
  readonly name: string
  readonly catalogPrefix: string | null
  readonly url: string
  readonly transport: McpTransport
  /** Encrypted values, by header name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Incremented when the endpoint or the headers change. Results of an earlier one are then ignored. */
  readonly endpointRevision: number
  readonly toolCount: number | null
  readonly discoveredAt: number | null
  readonly problem: { readonly message: string; readonly at: number } | null
  /** How often the circuit breaker has opened since the server last answered. */
  readonly openings: number
  /** The end of the pause. Null if the server may be tried. */
  readonly openUntil: number | null
}

type Configure = {
  type: 'configure'
  at: number
  name?: string
  catalogPrefix?: string | null
  url?: string
  transport?: McpTransport
} & ExpectsRevision

/** `origin` is the origin for which the values were encrypted. */
type SetHeaders = {
  type: 'setHeaders'
  at: number
  origin: string
  set: Record<string, string>
  remove: readonly string[]
} & ExpectsRevision

export type McpServerEvent =
  | Configure
  | SetHeaders
  /** Replaces a value by the same value, encrypted under another key. */
  | { type: 'reseal'; at: number; from: string; to: string }
  | { type: 'enable'; at: number }
  | { type: 'disable'; at: number }
  /** A user requests that the server is tried now. */
  | { type: 'refresh'; at: number }
  /** `toolCount`: the number of tools after a discovery, null after a call. */
  | { type: 'answered'; at: number; endpointRevision: number; toolCount: number | null }
  /** `open`: this failure opens the circuit breaker. */
  | { type: 'failed'; at: number; endpointRevision: number; message: string; open: boolean }
  | ({ type: 'delete'; at: number } & ExpectsRevision)

const action = act<McpServerContext, McpServerEvent, McpServerEvent>
const on = actOn<McpServerContext, McpServerEvent>()

const unknown = { toolCount: null, discoveredAt: null, problem: null, openings: 0, openUntil: null }

const originOf = (url: string): string => new URL(url).origin

function configure(context: McpServerContext, event: Configure): Outcome<McpServerContext> {
  const { name, catalogPrefix, url, transport } = { ...context, ...event }
  const set = { name, catalogPrefix, url, transport }
  if (!changesEndpoint(context, event)) return edit(context, set)
  const headers = originOf(url) === originOf(context.url) ? context.headers : {}
  return edit(context, { ...set, ...unknown, headers, endpointRevision: context.endpointRevision + 1 })
}

function changesEndpoint(context: McpServerContext, { url, transport }: Configure): boolean {
  return (url ?? context.url) !== context.url || (transport ?? context.transport) !== context.transport
}

function without(headers: McpServerContext['headers'], names: readonly string[]): McpServerContext['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
}

/** The events that every state accepts, except the last one. */
const live = {
  configure: [{ guard: 'changesEndpoint', target: 'UNKNOWN', actions: 'configure' }, { actions: 'configure' }],
  setHeaders: { target: 'UNKNOWN', actions: 'setHeaders' },
  reseal: { actions: 'reseal' },
  refresh: { actions: 'tryNow' },
  answered: { target: 'REACHABLE', actions: 'answer' },
  failed: [
    { guard: 'opens', target: 'UNREACHABLE', actions: 'open' },
    { target: 'DEGRADED', actions: 'note' },
  ],
  delete: { target: 'DELETED', actions: 'drop' },
} as const

const machine = setup({
  types: typesOf<McpServerContext, McpServerEvent>(),
  guards: {
    changesEndpoint: ({ context, event }) => event.type === 'configure' && changesEndpoint(context, event),
    opens: ({ event }) => event.type === 'failed' && event.open,
  },
  actions: {
    configure: on('configure', configure),
    setHeaders: on('setHeaders', (context, { set, remove }) => {
      const headers = { ...without(context.headers, remove), ...set }
      return edit(context, { ...unknown, headers, endpointRevision: context.endpointRevision + 1 })
    }),
    reseal: on('reseal', ({ headers }, { from, to }) => ({
      set: {
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, sealed]) => [name, sealed === from ? to : sealed]),
        ),
      },
    })),
    tryNow: action(() => ({ set: { openUntil: null } })),
    answer: on('answered', (_, { toolCount, at: discoveredAt }) => ({
      set: {
        problem: null,
        openings: 0,
        openUntil: null,
        ...(toolCount === null ? {} : { toolCount, discoveredAt }),
      },
    })),
    note: on('failed', (_, { message, at }) => ({ set: { problem: { message, at } } })),
    open: on('failed', ({ openings }, { message, at }) => ({
      set: { problem: { message, at }, openings: openings + 1, openUntil: at + backOffMs(openPolicy, openings + 1) },
    })),
    drop: action(() => ({ set: { headers: {}, openUntil: null } })),
  },
}).createMachine({
  id: 'mcpServer',
  context: ({ input: { id, init } }) => ({
    init,
    id,
    name: init.name,
    catalogPrefix: init.catalogPrefix,
    url: init.url,
    transport: init.transport,
    headers: {},
    revision: 1,
    endpointRevision: 0,
    ...unknown,
  }),
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'UNKNOWN',
      states: {
        UNKNOWN: {
          meta: { label: 'Not asked yet', waitsFor: 'a use of its tools', unbounded: 'the users of its tools' },
          on: live,
        },
        REACHABLE: {
          meta: { label: 'Answers', waitsFor: 'calls', unbounded: 'the users of its tools' },
          on: live,
        },
        DEGRADED: {
          meta: {
            label: 'Did not answer the last time',
            waitsFor: 'the next call',
            unbounded: 'the users of its tools',
          },
          on: live,
        },
        UNREACHABLE: {
          meta: {
            label: 'Left alone for a while',
            waitsFor: 'the end of the pause, and a use of its tools after it',
            unbounded: 'the users of its tools',
          },
          on: live,
        },
        DELETED: { tags: 'terminal', meta: { label: 'Deleted' } },
      },
    },
    use: {
      initial: 'ENABLED',
      states: {
        ENABLED: { meta: { label: 'May be used' }, on: { disable: 'DISABLED' } },
        DISABLED: { meta: { label: 'Is not used' }, on: { enable: 'ENABLED' } },
      },
    },
  },
})

const changedMeanwhile = () =>
  new Failure(
    'CONFLICT',
    'The URL of the server was changed meanwhile, and the headers were for another host: set them again.',
  )

const tooManyHeaders = (count: number) =>
  new Failure('BAD_USER_INPUT', `set would give the server ${count} headers; it may have ${mostHeaders}.`, {
    details: { field: 'set' },
  })

const disabled = () =>
  new Failure('FAILED_PRECONDITION', 'The server is disabled. Enable it before you refresh it.', {
    details: { state: 'DISABLED' },
  })

export const mcpServer = define({
  kind: 'mcpServer',
  version: 1,
  machine,
  effects: ['tell'],
  refuse: ({ value: { use }, context }, event) => {
    if (event.type === 'refresh' && use === 'DISABLED') return disabled()
    const { url, headers } = context
    if (event.type === 'configure' || event.type === 'delete') return refuseStale('The server is', context, event)
    if (event.type !== 'setHeaders') return undefined
    const stale = refuseStale('The server is', context, event)
    if (stale !== undefined) return stale
    if (event.origin !== originOf(url)) return changedMeanwhile()
    const count = Object.keys({ ...without(headers, event.remove), ...event.set }).length
    return count > mostHeaders ? tooManyHeaders(count) : undefined
  },
  repeats: ({ value: { lifecycle, use }, context }, event) => {
    switch (event.type) {
      case 'delete':
        return lifecycle === 'DELETED'
      case 'enable':
        return use === 'ENABLED' && lifecycle !== 'DELETED'
      case 'disable':
        return use === 'DISABLED' && lifecycle !== 'DELETED'
      case 'reseal':
        return !Object.values(context.headers).includes(event.from)
      // A result for an endpoint or for credentials that were replaced does not apply to the present ones.
      case 'answered':
        return (
          event.endpointRevision !== context.endpointRevision || (lifecycle === 'REACHABLE' && event.toolCount === null)
        )
      case 'failed':
        return event.endpointRevision !== context.endpointRevision || isNoNews(lifecycle, context, event)
      default:
        return false
    }
  },
  search: ({ value: { lifecycle }, context: { name, catalogPrefix, url, transport } }) => {
    if (lifecycle === 'DELETED') return undefined
    // Only the host of the URL, because the rest may contain a key.
    return { title: name, text: [new URL(url).host, catalogPrefix, transport].filter(Boolean).join(' ') }
  },
  operable: true,
  operatorStates: ['UNKNOWN'],
  operatorEvents: {
    enable: { label: 'Enable server' },
    disable: { label: 'Disable server' },
    refresh: { label: 'Refresh tools of the server' },
    delete: { label: 'Delete server' },
  },
})

/** Several calls fail together. The first report is enough. */
function isNoNews(
  lifecycle: string,
  { openUntil }: McpServerContext,
  { open, at }: Extract<McpServerEvent, { type: 'failed' }>,
): boolean {
  if (lifecycle === 'UNREACHABLE') return !open || (openUntil !== null && at < openUntil)
  return lifecycle === 'DEGRADED' && !open
}
