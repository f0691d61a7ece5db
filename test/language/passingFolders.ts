import type { ProseScope } from './codeProse.ts'

/**
 * The code that passes the language check. Add a folder when it passes; an entry covers the files of the folder itself and of
 * all folders in it.
 */
export interface PassingFolder {
  readonly folder: string
  readonly scope: ProseScope
}

export const passingFolders: readonly PassingFolder[] = Object.freeze([
  { folder: 'actors', scope: 'all' },
  { folder: 'clients', scope: 'comments' },
  { folder: 'clients/console', scope: 'all' },
  { folder: 'clients/inspect', scope: 'all' },
  { folder: 'gateway', scope: 'all' },
  { folder: 'machines', scope: 'all' },
  { folder: 'spec', scope: 'all' },
  { folder: 'storage', scope: 'comments' },
  { folder: 'storage/agents', scope: 'all' },
  { folder: 'storage/blobs', scope: 'all' },
  { folder: 'storage/connections', scope: 'all' },
  { folder: 'storage/timers', scope: 'all' },
  { folder: 'test', scope: 'titles' },
])
