/**
 * A file that a user uploads for a run. The actor exists before the first byte is stored, so that its deadlines delete whatever a crash
 * leaves. The run attaches the file with its first transition. From then on the file is kept as long as the run, unless a person removes it.
 */
import { setup } from 'xstate'
import { attachmentBlob, unattachedMs } from '../../spec/runs/attachments.ts'
import { act, actOn } from '../framework/act.ts'
import { define, type MachineContext, type Tell, typesOf } from '../framework/define.ts'

const releasesKept = 20

/** No upload takes this long, ms: the gateway ends it earlier. */
const receivingMs = 2 * 3_600_000

export type RunAttachmentInit = {
  readonly name: string
  readonly contentType: string
  /** The user who uploaded it. */
  readonly uploadedBy: string
  readonly createdAt: number
}

export interface RunAttachmentContext extends MachineContext {
  readonly init: RunAttachmentInit
  readonly id: string
  /** Its size in bytes and its SHA-256 in hexadecimal. Null until all bytes have arrived. */
  readonly file: { readonly size: number; readonly sha256: string } | null
  /** When it expires unless it is attached, ms. Null until all bytes have arrived. */
  readonly expiresAt: number | null
  /** The run that it was attached to first. A retry of the run uses it too. */
  readonly runId: string | null
  /** The latest runs that have released it. A message may arrive before the one that attached the file to the same run. */
  readonly releasedBy: readonly string[]
}

export type RunAttachmentEvent =
  | { type: 'stored'; at: number; size: number; sha256: string }
  /** The upload failed, or its caller disconnected. */
  | { type: 'abandon'; at: number }
  | { type: 'attach'; at: number; runId: string }
  /** The run will not exist: its follow-up was withdrawn before it started. */
  | { type: 'release'; at: number; runId: string }
  | { type: 'remove'; at: number }

const action = act<RunAttachmentContext, RunAttachmentEvent, RunAttachmentEvent>
const on = actOn<RunAttachmentContext, RunAttachmentEvent>()

const machine = setup({
  types: typesOf<RunAttachmentContext, RunAttachmentEvent>(),
  delays: { receiving: receivingMs, unattached: unattachedMs },
  guards: {
    isItsRun: ({ context, event }) => event.type === 'release' && event.runId === context.runId,
  },
  actions: {
    noteStored: on('stored', (_, { at, size, sha256 }) => ({
      set: { file: { size, sha256 }, expiresAt: at + unattachedMs },
    })),
    attach: on('attach', (_, { runId }) => ({ set: { runId, expiresAt: null } })),
    release: on('release', ({ releasedBy }, { at, runId }) => ({
      set: { runId: null, expiresAt: at + unattachedMs, releasedBy: [...releasedBy, runId].slice(-releasesKept) },
    })),
    noteRelease: on('release', ({ releasedBy }, { runId }) => ({
      set: { releasedBy: [...releasedBy, runId].slice(-releasesKept) },
    })),
    removeBytes: action(({ context: { id } }) => ({
      effects: [{ type: 'removeBlob', params: { name: attachmentBlob(id) } }],
    })),
  },
}).createMachine({
  id: 'runAttachment',
  context: ({ input: { id, init } }) => ({ init, id, file: null, expiresAt: null, runId: null, releasedBy: [] }),
  initial: 'RECEIVING',
  states: {
    RECEIVING: {
      meta: { label: 'Receiving', waitsFor: 'the last byte of the file' },
      after: { receiving: 'EXPIRED' },
      on: { stored: { target: 'UNATTACHED', actions: 'noteStored' }, abandon: 'REMOVED' },
    },
    UNATTACHED: {
      meta: { label: 'Unattached', waitsFor: 'a run that gets it' },
      after: { unattached: 'EXPIRED' },
      on: {
        attach: { target: 'ATTACHED', actions: 'attach' },
        release: { actions: 'noteRelease' },
        remove: 'REMOVED',
      },
    },
    ATTACHED: {
      meta: { label: 'Attached', unbounded: 'a person removes it' },
      on: { release: { guard: 'isItsRun', target: 'UNATTACHED', actions: 'release' }, remove: 'REMOVED' },
    },
    EXPIRED: { tags: 'terminal', meta: { label: 'Expired' }, entry: 'removeBytes' },
    REMOVED: { tags: 'terminal', meta: { label: 'Removed' }, entry: 'removeBytes' },
  },
})

const isOfOther = (value: string, { runId }: RunAttachmentContext, releasing: string): boolean =>
  value === 'ATTACHED' && runId !== releasing

export const runAttachment = define({
  kind: 'runAttachment',
  version: 1,
  machine,
  effects: ['removeBlob'],
  columns: ({ context: { init, runId } }) => ({ scopeId: runId ?? init.uploadedBy }),
  repeats: ({ value, context }, event) => {
    switch (event.type) {
      case 'stored':
        return value === 'UNATTACHED' && context.file?.sha256 === event.sha256
      case 'attach':
        // Another run may use it too: a retry of the run, or a run that the run has started.
        return value === 'ATTACHED' || (value === 'UNATTACHED' && context.releasedBy.includes(event.runId))
      case 'release':
        return value === 'UNATTACHED'
          ? context.releasedBy.includes(event.runId)
          : isOfOther(value, context, event.runId)
      case 'abandon':
        return value === 'REMOVED' || value === 'EXPIRED'
      case 'remove':
        return value === 'REMOVED'
      default:
        return false
    }
  },
  operable: true,
  operatorStates: ['REMOVED'],
  operatorEvents: { remove: { label: 'Remove attachment' } },
})

/** The messages that attach files to a run. */
export function attachAll(runId: string, ids: readonly string[]): readonly Tell[] {
  return ids.map((id) => ({ to: { kind: 'runAttachment', id }, event: { type: 'attach', runId } }))
}

/** The messages that give files back to their user, because their run will not exist. */
export function releaseAll(runId: string, ids: readonly string[]): readonly Tell[] {
  return ids.map((id) => ({ to: { kind: 'runAttachment', id }, event: { type: 'release', runId } }))
}
