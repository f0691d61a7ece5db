/** Skills: folders with instructions and files for coding CLIs, for the installation or one repository. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../../core/connections.ts'
import { idempotencyKey } from '../../core/idempotencyKey.ts'
import { oneById } from '../../core/oneById.ts'
import { mutation, query } from '../../core/operation.ts'
import { expectedRevision } from '../../core/revision.ts'
import { atMost, dateTime, id, idOf, int, named } from '../../core/types.ts'
import { skillFields, skillName, skillRepositoryId } from './skillInput.ts'
import { skillFilesMax } from './skillLimits.ts'

export const skillStatus = named(
  'SkillStatus',
  'The status of a skill. New runs do not get an archived skill, and another one can have its name.',
  v.picklist(['ACTIVE', 'ARCHIVED']),
)

const version = v.pipe(int, v.description('The number of changes of the content, from 1. Each version is kept.'))
const sha256 = v.pipe(
  v.string(),
  v.description(
    'The SHA-256 of the content, hexadecimal. Equal files with equal paths and executable bits have the same.',
  ),
)
const size = v.pipe(int, v.description('The number of bytes of all files.'))

export const skillSchema = named(
  'Skill',
  'A folder with instructions (SKILL.md) and files, which coding CLIs find in the worktrees of runs.',
  v.object({
    id,
    name: v.string(),
    description: v.pipe(v.string(), v.description('From the front matter of SKILL.md.')),
    status: skillStatus,
    repositoryId: v.pipe(
      v.nullable(id),
      v.description('The logical repository that the skill is for. Null: it is for all repositories.'),
    ),
    version,
    revision: v.pipe(int, v.description('The same number as `version`. Pass it as `expectedRevision`.')),
    sha256,
    size,
    fileCount: int,
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
)

const facts = {
  path: v.string(),
  size: v.pipe(int, v.description('The number of bytes.')),
  sha256: v.pipe(v.string(), v.description('The SHA-256 of the bytes, hexadecimal.')),
  executable: v.pipe(v.boolean(), v.description('Whether the file can be executed as a program.')),
}

export const skillFile = named('SkillFile', 'A file of a skill, without its bytes.', v.object(facts))
export const skillFiles = atMost(skillFilesMax, skillFile)

const versionFields = {
  version: v.pipe(int, v.description('Counts from 1.')),
  name: v.string(),
  description: v.string(),
  sha256,
  size,
  authorId: v.pipe(id, v.description('The user, API key or run that wrote the version.')),
  createdAt: dateTime,
}

export const skillVersionSchema = named(
  'SkillVersion',
  'A version of the content of a skill.',
  v.object({ ...versionFields, files: skillFiles }),
)

const wholeFile = named(
  'SkillFileContent',
  'A file of a skill with its bytes.',
  v.object({
    ...facts,
    text: v.pipe(
      v.nullable(v.string()),
      v.description('The content, if it is UTF-8 without zero bytes. Otherwise null.'),
    ),
    base64: v.pipe(v.nullable(v.string()), v.description('The content in base64, if `text` is null. Otherwise null.')),
  }),
)

export const skillContentSchema = named(
  'SkillVersionContent',
  'A version of a skill with the bytes of its files.',
  v.object({ skillId: id, ...versionFields, files: atMost(skillFilesMax, wholeFile) }),
)

export const skills = query({
  name: 'skills',
  description: 'Skills, newest first, without archived ones unless `statuses` names ARCHIVED.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_skills',
    title: 'List skills',
    description:
      'Lists the skills (folders with a SKILL.md that coding CLIs find in the worktrees of runs), newest first: name, description and ' +
      'version. `get_skill_version` returns the files of one.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('Skill', ['CREATED_AT']),
    repositoryId: v.pipe(
      v.nullish(idOf('repository')),
      v.description('Returns only the skills that are for this repository alone.'),
    ),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(skillStatus), v.maxLength(2))),
      v.description('Returns only skills with one of these statuses. Default: ACTIVE.'),
    ),
  }),
  output: connectionOf('Skill', skillSchema),
})

export const skill = query({
  ...oneById('skill', skillSchema),
  tool: {
    group: 'runs',
    name: 'get_skill',
    title: 'Get a skill',
    description:
      'Returns one skill by its ID (`skl_…`) with the list of its files. `get_skill_version` returns their content, and ' +
      '`get_skill_by_name` finds a skill by its name.',
  },
})

export const skillByName = query({
  name: 'skillByName',
  description:
    'Returns the active skill with a name: that of the repository, or else that of the installation. Null if there is none.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_skill_by_name',
    title: 'Find a skill by its name',
    description:
      'Returns the active skill with a name, with the list of its files. With `repositoryId` a skill of the repository is preferred to ' +
      'one of the installation. A run on a worktree of the repository gets the same one.',
  },
  input: v.object({
    name: skillName,
    repositoryId: v.pipe(
      v.nullish(idOf('repository')),
      v.description('The repository whose skills are preferred. Omitted: only skills of the installation.'),
    ),
  }),
  output: v.nullable(skillSchema),
})

export const skillVersion = query({
  name: 'skillVersion',
  description: 'Returns a version of a skill with the content of its files. Null if the skill has no such version.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_skill_version',
    title: 'Read the files of a skill',
    description:
      'Returns a version of a skill with the content of its files: as `text`, or as `base64` if it is not UTF-8. Omit `version` for the ' +
      'newest one. `get_skills` lists the skills.',
  },
  input: v.object({
    skillId: idOf('skill'),
    version: v.pipe(
      v.nullish(v.pipe(int, v.minValue(1), v.maxValue(1_000_000))),
      v.description('The number of the version. Default: the newest one.'),
    ),
  }),
  output: v.nullable(skillContentSchema),
})

const payload = (typeName: string) => named(typeName, 'The skill after the change.', v.object({ skill: skillSchema }))

export const createSkill = mutation({
  name: 'createSkill',
  description: 'Creates a skill. New runs of its scope get it.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Create a skill',
    description:
      'Creates a skill: a folder that coding CLIs find in the worktrees of new runs. `files` has all of its files. One is `SKILL.md`, whose ' +
      'YAML front matter has the `name` of the skill and a `description` that tells a model when to use it.',
  },
  input: v.object({ ...skillFields, repositoryId: skillRepositoryId, idempotencyKey }),
  output: payload('CreateSkillPayload'),
})

export const updateSkill = mutation({
  name: 'updateSkill',
  description:
    'Replaces the content of a skill, as a new version. Existing runs keep the version that they started with.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Change a skill',
    description:
      'Replaces all files of a skill, as a new version: pass every file that should stay, as `get_skill_version` returns it. Former ' +
      'versions are kept. Pass the `revision` that you have read as `expectedRevision`, so that no change is lost.',
    idempotent: true,
  },
  input: v.object({ skillId: idOf('skill'), ...skillFields, expectedRevision }),
  output: payload('UpdateSkillPayload'),
})

export const archiveSkill = mutation({
  name: 'archiveSkill',
  description:
    'Archives a skill: new runs do not get it, and another one can have its name. `unarchiveSkill` restores it.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Archive a skill',
    description:
      'Archives a skill: new runs do not get it, and another skill can have its name. `unarchive_skill` restores it. Existing runs keep it.',
    idempotent: true,
  },
  input: v.object({ skillId: idOf('skill') }),
  output: payload('ArchiveSkillPayload'),
})

export const unarchiveSkill = mutation({
  name: 'unarchiveSkill',
  description: 'Restores an archived skill. It is refused (CONFLICT) if another active skill has its name.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Unarchive a skill',
    description: 'Restores an archived skill. It is refused if another active skill of its scope has its name.',
    idempotent: true,
  },
  input: v.object({ skillId: idOf('skill') }),
  output: payload('UnarchiveSkillPayload'),
})
