/** The REST route of skills. */
import { ReadableStream as ByteStream } from 'node:stream/web'
import type { TypedRow } from '../../../../machines/rows.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import type { Principal } from '../../../../spec/core/principal.ts'
import { readPinnedSkills } from '../../../../spec/work/skills/runSkills.ts'
import { skillRoutes } from '../../../../spec/work/skills/skillRoutes.ts'
import type { GatewayOptions } from '../../../options.ts'
import { notFound } from '../../core/rows.ts'
import { type ServedRoute, serve } from '../../restHandler.ts'
import type { TypedViews } from '../../typedViews.ts'
import { findVersion } from './skillVersions.ts'

interface SkillRef {
  readonly id: string
  readonly version: number
}

export function serveSkills({ views, contents }: Pick<GatewayOptions, 'views' | 'contents'>): readonly ServedRoute[] {
  return [
    serve(skillRoutes.getSkillOfOwnRun, async ({ principal, params }) => {
      const found = await findVersion(params.id, params.version, views)
      if (found === undefined) throw notFound('skill', params.id)
      await requireOwnRun(params, principal, views)
      return {
        status: 200,
        headers: { 'content-type': 'application/octet-stream', etag: `"${found.sha256}"` },
        stream: ByteStream.from(contents.read(found.contentId)) as ReadableStream<Uint8Array>,
        length: found.archiveSize,
      }
    }),
  ]
}

/** @throws Failure FORBIDDEN unless a run of the caller that has not ended has this version */
async function requireOwnRun(skill: SkillRef, principal: Principal, views: TypedViews): Promise<void> {
  if ((await findRuns(principal, views)).some((run) => isLivingWith(run, skill))) return
  throw new Failure(
    'FORBIDDEN',
    principal.kind === 'run'
      ? 'This run does not have this version of the skill, or has ended.'
      : 'No run with this version of the skill executes on this agent, or it has ended.',
    { details: { id: skill.id } },
  )
}

async function findRuns(principal: Principal, views: TypedViews): Promise<readonly TypedRow<'run'>[]> {
  if (principal.kind === 'agent') return await views.living('run', [principal.agentId])
  const run = principal.kind === 'run' ? await views.get('run', principal.runId) : undefined
  return run === undefined ? [] : [run]
}

function isLivingWith({ init, columns }: TypedRow<'run'>, { id, version }: SkillRef): boolean {
  return !columns.terminal && readPinnedSkills(init.spec).some((one) => one.id === id && one.version === version)
}
