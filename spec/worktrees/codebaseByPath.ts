/** The codebase in a folder, for scripts that have only the path of a checkout. */
import * as v from 'valibot'
import { query } from '../core/operation.ts'
import { codebaseSchema } from './codebases.ts'

export const codebaseByPath = query({
  name: 'codebaseByPath',
  description:
    'The codebase in a folder, by its exact path. Where several agents use the path, the refusal names them.',
  access: 'people',
  tool: {
    group: 'codebases',
    name: 'get_codebase_by_path',
    title: 'Get the codebase in a folder',
    description:
      'The registered checkout in one folder of a managed machine, by its exact absolute path. Where several machines have the path ' +
      'it is refused with the codebases that match: choose one and go on with get_codebase.',
  },
  input: v.object({
    path: v.pipe(
      v.string(),
      v.minLength(1, 'must be the absolute folder'),
      v.maxLength(4_096),
      v.description('The absolute folder.'),
    ),
  }),
  output: codebaseSchema,
})
