/** What needs no credential: liveness, readiness and the agent's program. */
import { Failure } from '../../spec/failure.ts'
import { json } from '../answer.ts'
import type { GatewayOptions } from '../options.ts'
import type { Answer, Route, RouteCall } from '../route.ts'

export function publicRoutes(options: GatewayOptions): readonly Route[] {
  const access = 'public' as const
  return [
    { method: 'GET', path: '/api/public/health', access, handle: () => json(200, { status: 'ok' }) },
    { method: 'GET', path: '/api/public/ready', access, handle: () => ready(options) },
    {
      method: 'GET',
      path: '/api/public/agent/signalbox-agent.mjs',
      access,
      handle: (call) => agentProgram(call, options),
    },
  ]
}

async function ready({ healthy, log }: GatewayOptions): Promise<Answer> {
  const answers = await healthy().catch((error: unknown) => {
    log.warn({ err: error }, 'the database does not answer')
    return false
  })
  if (!answers)
    throw new Failure('UNAVAILABLE', 'The database does not answer.', {
      details: { reason: 'database' },
      retryAfterMs: 1_000,
    })
  return json(200, { status: 'ready' })
}

async function agentProgram({ request }: RouteCall, { agentProgram: load }: GatewayOptions): Promise<Answer> {
  if (!load) throw new Failure('NOT_FOUND', 'This server does not hand out the agent program.')
  const { filename, source, sha256 } = await load()
  const etag = `"${sha256}"`
  const headers = { etag, 'cache-control': 'public, no-cache' }
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (known.includes(etag) || known.includes('*')) return { status: 304, headers }
  return {
    status: 200,
    headers: {
      ...headers,
      'content-type': 'text/javascript; charset=utf-8',
      'content-disposition': `attachment; filename="${filename.replace(/[^\w.-]/g, '_')}"`,
    },
    body: source,
  }
}
