/** The content of a skill: its name and its files, as a caller gives them. */
import * as v from 'valibot'
import { oneOf } from '../../core/oneOf.ts'
import { idOf, named } from '../../core/types.ts'
import { skillFileBytesMax, skillFilesMax, skillNameMax, skillPathBytesMax } from './skillLimits.ts'

/** The form that Agent Skills require. It is the name of the skill's folder too. */
export const skillName = v.pipe(
  v.string(),
  v.minLength(1, 'must have at least 1 character'),
  v.maxLength(skillNameMax, `must have at most ${skillNameMax} characters`),
  v.regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    'must be lower-case letters, digits and single "-", and begin and end with a letter or digit',
  ),
)

const base64Max = 4 * Math.ceil(skillFileBytesMax / 3)

const fileContent = oneOf('SkillFileContentInput', 'The bytes of a file: exactly one of these.', {
  text: v.pipe(
    v.string(),
    v.maxLength(skillFileBytesMax, `must have at most ${skillFileBytesMax} bytes`),
    v.description('A text, which is stored in UTF-8.'),
  ),
  base64: v.pipe(
    v.string(),
    v.maxLength(base64Max, `must have at most ${base64Max} characters, for ${skillFileBytesMax} bytes`),
    v.description('Any bytes, in base64 with padding.'),
  ),
})

const file = named(
  'SkillFileInput',
  'A file of a skill.',
  v.object({
    path: v.pipe(
      v.string(),
      v.maxLength(skillPathBytesMax, `must have at most ${skillPathBytesMax} bytes`),
      v.description('The path in the skill’s folder, with "/" between folders: `scripts/check.sh`.'),
    ),
    content: fileContent,
    executable: v.pipe(
      v.nullish(v.boolean()),
      v.description('Whether the file can be executed as a program. Default: false.'),
    ),
  }),
)

export const skillFields = {
  name: v.pipe(
    skillName,
    v.description('The name, unique among the active skills of its scope. The front matter of SKILL.md has the same.'),
  ),
  files: v.pipe(
    v.array(file),
    v.minLength(1, 'must have at least 1 file'),
    v.maxLength(skillFilesMax, `must have at most ${skillFilesMax} files`),
    v.description(
      'All files of the skill. `SKILL.md` is one of them. It begins with a YAML front matter that has `name` and `description`.',
    ),
  ),
}

export type SkillInput = v.InferOutput<ReturnType<typeof v.object<typeof skillFields, undefined>>>

/** The scope of a new skill. */
export const skillRepositoryId = v.pipe(
  v.nullish(idOf('repository')),
  v.description(
    'The logical repository that the skill is for. Omitted: it is for all repositories of the installation.',
  ),
)
