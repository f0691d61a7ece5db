import { packSkill } from '../../../../spec/work/skills/skillArchive.ts'
import { skillRoutes } from '../../../../spec/work/skills/skillRoutes.ts'
import { inits } from '../../../kit/runtime/samples/samples.ts'
import { bearer, type Sent } from './call.ts'
import type { Cases } from './caseForm.ts'
import { startRunWith } from './runCases.ts'
import type { TroubledGateways } from './troubledGateways.ts'

const { getSkillOfOwnRun } = skillRoutes

/** The skill of a run, with the credential of the run's agent, which this process has cached. */
async function ownSkill(stage: TroubledGateways): Promise<Sent> {
  const { world } = stage
  const [id, contentId] = [world.newId('skill'), world.newId('skillContent')]
  const archive = packSkill([{ path: 'SKILL.md', executable: false, bytes: Buffer.from('hello') }])
  await world.storage.contents.keep(contentId, 0, archive, 0)
  const content = { ...Object(inits.skill.content), name: id.slice(4), contentId, archiveSize: archive.length }
  await world.ask({ kind: 'skill', id }, { type: 'create' }, { ...inits.skill, content })
  const token = await startRunWith(stage, { skills: [{ id, version: 1 }] })
  const sent = { params: { id, version: '1' }, headers: bearer(token) }
  await stage.call(getSkillOfOwnRun, sent)
  return sent
}

export const skillCases: readonly Cases[] = [
  {
    route: getSkillOfOwnRun,
    right: ownSkill,
    own: {
      '400 BAD_USER_INPUT': async (stage) => {
        const { params, ...rest } = await ownSkill(stage)
        return { ...rest, params: { ...params, version: '0' } }
      },
      '403 FORBIDDEN of another agent': async (stage) => ({
        ...(await ownSkill(stage)),
        headers: bearer((await stage.world.agent()).token),
      }),
      '404 NOT_FOUND': async (stage) => {
        const { params, ...rest } = await ownSkill(stage)
        return { ...rest, params: { ...params, version: '2' } }
      },
    },
  },
]
