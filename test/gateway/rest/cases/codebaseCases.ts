import { codebaseRoutes } from '../../../../spec/worktrees/codebaseRoutes.ts'
import { with_ } from './callers.ts'
import type { Cases } from './caseForm.ts'
import type { TroubledGateways } from './troubledGateways.ts'

async function codebase(stage: TroubledGateways, path: string): Promise<void> {
  const { agentId } = await stage.world.agent()
  const state = {
    observedOrigin: 'git@github.com:acme/rocket.git',
    branch: 'main',
    headSha: 'a'.repeat(40),
    upstream: null,
    ahead: null,
    behind: 0,
    syncState: 'CLEAN',
    statusError: null,
    lastCheckedAt: '2026-01-01T00:00:00.000Z',
    lastFetchedAt: null,
  }
  const repositoryId = `rep_${'0'.repeat(26)}`
  const create = { agentId, path, createdAt: Date.now(), state, repositoryId, branches: ['main'] }
  await stage.world.ask({ kind: 'codebase', id: stage.world.newId('codebase') }, { type: 'create' }, create)
}

let folders = 0

/** The path of a folder that so many agents have a checkout in. */
export async function folder(stage: TroubledGateways, times: number): Promise<string> {
  const path = `/src/${++folders}`
  for (let n = 0; n < times; n++) await codebase(stage, path)
  return path
}

export const codebaseCases: readonly Cases[] = [
  {
    route: codebaseRoutes.listCodebases,
    right: async (stage) => {
      await folder(stage, 1)
      return await with_(stage, { query: '?branches=true' })
    },
  },
  {
    route: codebaseRoutes.getCodebaseByPath,
    right: async (stage) => await with_(stage, { query: `?path=${await folder(stage, 1)}` }),
    own: {
      '400 INVALID_PATH': async (stage) => await with_(stage, { query: '?path=' }),
      '404 CODEBASE_NOT_FOUND': async (stage) => await with_(stage, { query: '?path=/nowhere' }),
      '409 AMBIGUOUS_PATH': async (stage) => await with_(stage, { query: `?path=${await folder(stage, 2)}` }),
    },
  },
]
