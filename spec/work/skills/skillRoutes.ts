/** The download of skills by agents. */
import * as v from 'valibot'
import { idOf } from '../../core/types.ts'
import { restRoute } from '../../rest/restRoute.ts'

const version = v.pipe(
  v.string(),
  v.regex(/^[1-9][0-9]{0,5}$/, 'must be the number of a version'),
  v.transform(Number),
  v.description('The number of the version.'),
)

export const skillRoutes = {
  getSkillOfOwnRun: restRoute({
    name: 'getSkillOfOwnRun',
    method: 'GET',
    path: '/api/agent/skills/{id}/{version}',
    tag: 'Skills',
    summary: 'Download a skill of an own run',
    description:
      'For the agent that executes a run with this version of the skill, and for the run itself, until the run has ended. Others are ' +
      'refused with `403 FORBIDDEN`. The body is the canonical form of the files: a line with a JSON list of path, number of bytes ' +
      'and 1 or 0 for an executable file, and then the bytes of the files in this order.',
    access: 'ownRuns',
    params: v.object({ id: idOf('skill'), version }),
    answers: {
      200: {
        description: 'All files of the version.',
        mediaTypes: ['application/octet-stream'],
        headers: { ETag: 'The SHA-256 of the body, in quotation marks.' },
      },
    },
    refusals: ['NOT_FOUND'],
  }),
} as const
