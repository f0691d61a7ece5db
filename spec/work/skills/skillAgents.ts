/** The versions of skills that agents have stored. */
import * as v from 'valibot'
import { epoch } from '../../agents/agentSession.ts'
import { mutation } from '../../core/operation.ts'
import { atMost, dateTime, id, idOf, int, named, words } from '../../core/types.ts'
import { heldSkillsMax } from './skillLimits.ts'

const version = v.pipe(int, v.minValue(1), v.maxValue(1_000_000))
const sha256Form = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256, hexadecimal'))

export const skillAgentSchema = named(
  'SkillAgent',
  'An agent, and the newest version of a skill that it has stored. An agent stores a version when a run needs it.',
  v.object({
    agentId: id,
    version: v.pipe(v.nullable(int), v.description('Null if it has none.')),
    sha256: v.nullable(v.string()),
    syncedAt: v.pipe(v.nullable(dateTime), v.description('The time when the agent first reported the version.')),
    problem: v.pipe(
      v.nullable(v.string()),
      v.description('The reason why the agent could not store a version that a run needed. Null if it could.'),
    ),
  }),
)

export const reportAgentSkills = mutation({
  name: 'reportAgentSkills',
  description:
    'Reports all versions of skills that the agent has stored or could not store. The answer has those that no new run needs, which the agent removes.',
  access: 'agents',
  input: v.object({
    epoch,
    skills: v.pipe(
      v.array(
        named(
          'AgentSkillInput',
          'A version of a skill on the agent’s machine.',
          v.object({ skillId: idOf('skill'), version, sha256: sha256Form, problem: v.nullish(words(500)) }),
        ),
      ),
      v.maxLength(heldSkillsMax),
    ),
  }),
  output: named(
    'ReportAgentSkillsPayload',
    'The reported versions that no new run needs.',
    v.object({
      outOfScope: atMost(
        heldSkillsMax,
        named('AgentSkillVersion', 'A version of a skill.', v.object({ skillId: id, version: int })),
      ),
    }),
  ),
})
