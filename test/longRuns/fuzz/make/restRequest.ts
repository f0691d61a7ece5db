/** A request of a declared REST route. */
import type { OutgoingHttpHeaders } from 'node:http'
import { operations } from '../../../../gateway/operations/operations.ts'
import { builtinTools } from '../../../../gateway/operations/tools/builtin.ts'
import type { RestRoute } from '../../../../spec/rest/restRoute.ts'
import { crashText, diagnostic, ips } from '../../../kit/program/objects/crashFiles.ts'
import type { Random } from '../../soak/random.ts'
import { sampleImages } from '../callers/diffImages.ts'
import type { Sent } from '../http.ts'
import type { HintContext } from './hints.ts'
import { type Input, inputFor } from './input.ts'

export interface RandomRequest {
  readonly sent: Sent
  readonly input: unknown
  readonly how?: string | undefined
}

const tools = [...builtinTools(operations).values()]

/** Requests that follow from the action of another party, or have a file. They cannot be generated. With `how`, a request is wrong. */
const brought: Readonly<Record<string, (context: HintContext) => (Partial<Sent> & { how?: string }) | undefined>> = {
  endProviderSignIn: ({ signIns, random, caller }) => {
    const callback = caller.headers.cookie === undefined && random.chance(0.6) ? signIns?.callback() : undefined
    return callback && { path: callback.path, headers: { ...caller.headers, cookie: callback.cookie } }
  },
  uploadRunAttachment: ({ caller, random }) => ({
    headers: { ...caller.headers, 'content-type': 'multipart/form-data; boundary=fuzz' },
    body: [
      '--fuzz',
      `content-disposition: form-data; name="file"; filename="${random.pick(['notes.txt', 'Größe.png', '../a'])}"`,
      '',
      'x'.repeat(random.below(5_000)),
      '--fuzz--',
      '',
    ].join('\r\n'),
  }),
  callTool: (context) => {
    const { group: groupId, name, operation } = context.random.pick(tools)
    const { value } = inputFor(operation.name, operation.input, context, operation.kind === 'mutation', false)
    return { body: JSON.stringify({ groupId, name, arguments: value }) }
  },
  sendDiffImage: ({ caller, random }) => {
    const reading = [...(caller.agent?.jobs.values() ?? [])].filter((job) => job.kind === 'DIFF_IMAGE' && job.accepted)
    if (reading.length === 0 || random.chance(0.1)) return undefined
    return {
      path: `/api/agent/diff-images/${random.pick(reading).jobId}?side=${random.pick(['before', 'after'])}`,
      headers: { 'content-type': 'application/octet-stream' },
      body: random.chance(0.8) ? sampleImages.after : random.bytes(40),
    }
  },
  sendCrashReport: ({ caller, random }) => {
    const file = random.pick(crashFiles)
    return {
      headers: { ...caller.headers, 'content-type': 'application/octet-stream' },
      ...(random.chance(0.5) ? { body: file } : { body: damaged(file, random), how: 'a damaged file' }),
    }
  },
  deliverWebhook: ({ pools, random }) => pools.outsiders.delivery(random),
  getDeviceProfile: ({ pools, random }) => pools.outsiders.profile(random),
  answerDeviceEnrollment: ({ pools, random }) => pools.outsiders.answer(random),
  showDeviceEnrolled: ({ pools, random }) => pools.outsiders.done(random),
}

const crashFiles = [ips(), crashText('241 (2.4.1)', '104', 'iPhone OS 18.5 (22F76)'), JSON.stringify(diagnostic)]

/** The file, cut off or with some of its bytes replaced. */
function damaged(file: string, random: Random): Buffer {
  const bytes = Buffer.from(file)
  if (random.chance(0.4)) return bytes.subarray(0, random.below(bytes.length))
  for (let count = random.below(20); count > 0; count--) bytes[random.below(bytes.length)] = random.below(256)
  return bytes
}

const agentEpoch = ({ caller, random }: HintContext): number =>
  caller.agent !== undefined && random.chance(0.9) ? caller.agent.epoch : random.below(3)

export function restRequest(route: RestRoute, context: HintContext, requestId: string, wrong: boolean): RandomRequest {
  const { random, caller, origin } = context
  const changes = route.method !== 'GET'
  const part = wrong ? random.pick(partsOf(route)) : undefined
  const make = (name: 'params' | 'query' | 'body', schema: RestRoute['params']): Input =>
    inputFor(route.name, schema, context, changes, part === name)
  const params = make('params', route.params)
  const query = make('query', route.query)
  const body = route.body && inputFor(route.name, route.body.schema, context, changes, part === 'body')
  const headers: OutgoingHttpHeaders = {
    'x-request-id': requestId,
    ...caller.headers,
    // A browser sends its origin.
    ...(changes && (caller.headers.cookie !== undefined || random.chance(0.5)) ? { origin } : {}),
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...(route.requestHeaders?.['Idempotency-Key'] && random.chance(0.3)
      ? { 'idempotency-key': `key ${random.below(1_000)}` }
      : {}),
    ...(route.requestHeaders?.['X-Agent-Epoch'] ? { 'x-agent-epoch': String(agentEpoch(context)) } : {}),
    ...(route.requestHeaders?.['Upload-Offset'] ? { 'upload-offset': '0' } : {}),
  }
  const given = wrong ? undefined : brought[route.name]?.(context)
  return {
    sent: {
      method: route.method,
      path: given?.path ?? pathOf(route.path, params.value) + queryOf(query.value),
      headers: { ...headers, ...given?.headers },
      body: given?.body ?? (body && (JSON.stringify(body.value) ?? '')),
    },
    input: body?.value ?? query.value,
    how:
      given?.how ??
      params.how ??
      query.how ??
      body?.how ??
      (route.rawBody && given === undefined ? 'no body' : undefined),
  }
}

function partsOf({ params, query, body }: RestRoute): readonly ('params' | 'query' | 'body' | 'none')[] {
  const parts = [params && 'params', query && 'query', body && 'body', body && 'body'] as const
  const given = parts.filter((part) => part !== undefined)
  return given.length > 0 ? given : ['none']
}

function pathOf(path: string, params: unknown): string {
  const values = (params ?? {}) as Readonly<Record<string, unknown>>
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(shown(values[name]).slice(0, 500)))
}

function queryOf(query: unknown): string {
  if (query === null || typeof query !== 'object') return ''
  const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(shown(value))}`)
  return pairs.length > 0 ? `?${pairs.join('&').slice(0, 3_000)}` : ''
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** A lone surrogate has no encoding. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()) || '%00'
}

/** A method that is not declared, a body that is not valid, or the page of another origin. */
export function strangeRestRequest(route: RestRoute, context: HintContext, requestId: string): RandomRequest {
  const made = restRequest(route, context, requestId, false)
  const { how, change } = context.random.pick(oddities)
  return { sent: change(made.sent, context.random), input: undefined, how }
}

const oddities: readonly { readonly how: string; change(sent: Sent, random: Random): Sent }[] = [
  {
    how: 'another method',
    change: (sent, random) => ({
      ...sent,
      method: random.pick(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'GET', 'POST']),
    }),
  },
  {
    how: 'another path',
    change: (sent, random) => ({
      ...sent,
      path: random.pick([
        `${sent.path}/`,
        `${sent.path}x`,
        sent.path.toUpperCase(),
        `/${sent.path}`,
        `${sent.path}%00`,
        '/api/../api',
      ]),
    }),
  },
  {
    how: 'invalid JSON',
    change: (sent, random) =>
      withBody(sent, random.pick(['{', '', 'null', '[]', '"x"', '\u0000', '{"a":1}}', '{"a":1,"a":2}'])),
  },
  { how: 'a huge body', change: (sent) => withBody(sent, `{"a":"${'x'.repeat(300_000)}"}`) },
  { how: 'a deep body', change: (sent) => withBody(sent, '['.repeat(20_000)) },
  {
    how: 'another content type',
    change: (sent, random) => ({
      ...sent,
      headers: {
        ...sent.headers,
        'content-type': random.pick([
          'text/plain',
          'multipart/form-data; boundary=x',
          'application/xml',
          'application/json; charset=utf-16',
          '',
        ]),
      },
    }),
  },
  {
    how: 'another origin',
    change: (sent, random) => ({
      ...sent,
      headers: { ...sent.headers, origin: random.pick(['https://evil.example', 'null', '']) },
    }),
  },
  {
    how: 'another host',
    change: (sent, random) => ({
      ...sent,
      headers: {
        ...sent.headers,
        host: random.pick(['evil.example', 'localhost', '[::1]:80', '127.0.0.1.evil.example']),
      },
    }),
  },
  {
    how: 'odd headers',
    change: (sent) => ({
      ...sent,
      headers: {
        ...sent.headers,
        accept: '*/*;q=0',
        'accept-encoding': 'x',
        'x-forwarded-for': ',,',
        'x-forwarded-proto': 'https',
        cookie: 'a=b; signalbox; =;',
      },
    }),
  },
  {
    how: 'an invalid query',
    change: (sent) => ({ ...sent, path: `${sent.path.split('?')[0]}?%zz&=&a=%ff&__proto__=1&limit=` }),
  },
  {
    how: 'a long idempotency key',
    change: (sent) => ({ ...sent, headers: { ...sent.headers, 'idempotency-key': 'x'.repeat(3_000) } }),
  },
]

function withBody(sent: Sent, body: string): Sent {
  return { ...sent, method: sent.method === 'GET' ? 'POST' : sent.method, body }
}
