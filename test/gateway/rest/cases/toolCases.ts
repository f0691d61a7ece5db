import { toolRoutes } from '../../../../spec/tools/toolRoutes.ts'
import { somebody, with_ } from './callers.ts'
import type { Cases } from './caseForm.ts'
import { folder } from './codebaseCases.ts'
import type { TroubledGateways } from './troubledGateways.ts'

const byPath = (path: string) => ({ groupId: 'codebases', name: 'get_codebase_by_path', arguments: { path } })
const call = async (stage: TroubledGateways, body: unknown) => await with_(stage, { body })

export const toolCases: readonly Cases[] = [
  { route: toolRoutes.getToolCatalog, right: somebody },
  {
    route: toolRoutes.callTool,
    right: async (stage) => await call(stage, byPath(await folder(stage, 1))),
    own: {
      '400 INVALID_TOOL_CALL': async (stage) => await call(stage, { groupId: 'codebases', name: 'get_nothing' }),
      '404 CODEBASE_NOT_FOUND': async (stage) => await call(stage, byPath('/nowhere')),
      '409 AMBIGUOUS_PATH': async (stage) => await call(stage, byPath(await folder(stage, 2))),
      '502 TOOL_CALL_FAILED': async (stage) => {
        const args = { id: stage.world.newId('agent') }
        return await call(stage, { groupId: 'agents', name: 'get_agent', arguments: args })
      },
    },
  },
]
