/** Routes without a credential: liveness, readiness, and the programs that machines download. */
import { Failure } from '../../spec/core/failure.ts'
import { serverRoutes } from '../../spec/settings/serverRoutes.ts'
import { json } from '../http/answer.ts'
import type { Answer, Route, RouteCall } from '../http/route.ts'
import { type ServedRoute, serve } from '../operations/restHandler.ts'
import type { DownloadedProgram, GatewayOptions } from '../options.ts'

export function servedProbes(options: GatewayOptions): readonly ServedRoute[] {
  return [
    serve(serverRoutes.getHealth, () => json(200, { status: 'ok' })),
    serve(serverRoutes.getReadiness, () => ready(options)),
  ]
}

export function agentProgramRoute({ agentProgram }: GatewayOptions): Route {
  return programRoute('/api/public/agent/signalbox-agent.mjs', agentProgram)
}

/** The client of CI steps that upload dSYMs. */
export function dsymClientRoute({ dsymClient }: GatewayOptions): Route {
  return programRoute('/api/public/dsym/signalbox-dsym.mjs', dsymClient)
}

/** A program is a file and not part of the REST interface, so it has no declaration. */
function programRoute(path: string, load: (() => Promise<DownloadedProgram>) | undefined): Route {
  return { method: 'GET', path, access: 'public', handle: (call) => sendProgram(call, load) }
}

async function ready({ healthy, blobs, log }: GatewayOptions): Promise<Answer> {
  const answers = await healthy().catch((error: unknown) => {
    log.warn({ err: error }, 'the database does not answer')
    return false
  })
  if (!answers)
    throw new Failure('UNAVAILABLE', 'The database does not answer, or accepts no writes.', {
      details: { reason: 'database' },
      retryAfterMs: 1_000,
    })
  if (!(await blobs.healthy()))
    throw new Failure('UNAVAILABLE', 'The storage of files does not answer.', {
      details: { reason: 'blobs' },
      retryAfterMs: 1_000,
    })
  return json(200, { status: 'ready' })
}

async function sendProgram({ request }: RouteCall, load?: () => Promise<DownloadedProgram>): Promise<Answer> {
  if (!load) throw new Failure('NOT_FOUND', 'This server does not hand out the program.')
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
