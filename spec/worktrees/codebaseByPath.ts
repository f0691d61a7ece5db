/** The codebase in a folder, for scripts that have only the path of a checkout. */
import * as v from 'valibot'
import { query } from '../core/operation.ts'
import { codebaseSchema } from './codebases.ts'

export const codebaseByPath = query({
  name: 'codebaseByPath',
  description:
    'Returns the codebase with an exact path. If several agents have a codebase with that path, the request is refused with the matches.',
  access: 'people',
  tool: {
    group: 'codebases',
    name: 'get_codebase_by_path',
    title: 'Get the codebase in a folder',
    description:
      'Returns the codebase in one folder of a managed machine, by its exact absolute path. If several machines have a ' +
      'codebase with that path, the call is refused with the matches: choose one and use `get_codebase`.',
  },
  input: v.object({
    path: v.pipe(
      v.string(),
      v.minLength(1, 'must be the absolute path of a folder'),
      v.maxLength(4_096),
      v.description('The absolute path of the folder.'),
    ),
  }),
  output: codebaseSchema,
})
