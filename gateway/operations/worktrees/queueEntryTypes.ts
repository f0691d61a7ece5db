/** The objects that queue entries lead to. */
import {
  blockedBySchema,
  blockersMax,
  queueEntry,
  queuePause,
  slotHolder,
} from '../../../spec/worktrees/queueEntries.ts'
import { requesterBy } from '../accounts/requester.ts'
import type { PartType } from '../objectType.ts'

export const queueEntryType: PartType = {
  name: 'WorktreeQueueEntry',
  schema: queueEntry,
  relations: {
    run: { type: 'one', target: 'Run', by: 'id', nullable: true, description: 'The queued run. Null for a build.' },
    build: { type: 'one', target: 'Build', by: 'id', nullable: true, description: 'The queued build. Null for a run.' },
  },
}

export const slotHolderType: PartType = {
  name: 'SlotHolder',
  schema: slotHolder,
  relations: {
    run: { type: 'one', target: 'Run', by: 'id', nullable: true, description: 'The run. Null for a build.' },
    build: { type: 'one', target: 'Build', by: 'id', nullable: true, description: 'The build. Null for a run.' },
  },
}

export const blockedByType: PartType = {
  name: 'BlockedBy',
  schema: blockedBySchema,
  relations: {
    runs: {
      type: 'list',
      target: 'Run',
      by: 'runIds',
      most: blockersMax,
      nullable: false,
      description: `The runs that hold it back, at most ${blockersMax}.`,
    },
    builds: {
      type: 'list',
      target: 'Build',
      by: 'buildIds',
      most: blockersMax,
      nullable: false,
      description: `The builds that hold it back, at most ${blockersMax}.`,
    },
  },
}

export const queuePauseType: PartType = {
  name: 'QueuePause',
  schema: queuePause,
  relations: {
    pausedBy: {
      ...requesterBy('pausedById'),
      description: 'The user, API key or run that paused the queue. Null if the user was removed.',
    },
  },
}
