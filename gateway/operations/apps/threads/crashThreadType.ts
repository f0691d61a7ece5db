/** The threads of a crash report as objects: a page of their frames at a time, and in the bounded form that tools return. */
import type * as v from 'valibot'
import { frameSchema, threadSchema, toolFramesMax, type wholeThreadSchema } from '../../../../spec/apps/crashContent.ts'
import { type NumberedList, numberedConnection } from '../../core/computedConnection.ts'
import type { GraphqlObject, PartType, RelationContext } from '../../objectType.ts'
import type { StoredFrame, StoredImage } from './storedThreads.ts'
import type { ThreadFile } from './threadFile.ts'

type Frame = v.InferInput<typeof frameSchema>
type FrameList = NumberedList<Frame & { readonly number: number }>
type Thread = v.InferInput<typeof threadSchema>
type WholeThread = v.InferInput<typeof wholeThreadSchema>

export const crashThreadType: PartType = {
  name: 'CrashThread',
  schema: threadSchema,
  relations: {
    frames: numberedConnection('CrashFrame', frameSchema, {
      description: 'The calls of the thread, the innermost first.',
      listOf: ({ frameList }) => frameList as FrameList,
    }),
  },
}

/** The files of the reports, in their order. */
export async function openThreads(
  reports: readonly GraphqlObject[],
  { views, crashThreads }: Pick<RelationContext, 'views' | 'crashThreads'>,
): Promise<readonly ThreadFile[]> {
  const ids = reports.map(({ id }) => String(id))
  const rows = await views.getMany('crashReport', ids)
  return await Promise.all(ids.map((id) => crashThreads.open(id, rows.get(id)?.context.symbols ?? null)))
}

/** The threads with lists of their frames, which are read when a page of them is requested. */
export function threadsOf(file: ThreadFile): readonly (Thread & { readonly frameList: FrameList })[] {
  const describe = describer(file.images)
  return headsOf(file).map((thread) => ({
    ...thread,
    frameList: {
      length: thread.frameCount,
      read: async (from, to) =>
        (await file.frames(thread.number, from, to)).map((frame, index) => ({
          number: from + index,
          ...describe(frame),
        })),
    },
  }))
}

/** All threads, with at most `toolFramesMax` frames: those of the threads that crashed come first. */
export async function boundedThreadsOf(file: ThreadFile): Promise<readonly WholeThread[]> {
  const describe = describer(file.images)
  const whole: WholeThread[] = []
  let left = toolFramesMax
  for (const thread of headsOf(file).toSorted((a, b) => Number(b.crashed) - Number(a.crashed))) {
    const frames = await file.frames(thread.number, 0, left)
    whole.push({ ...thread, frames: frames.map(describe) })
    left -= frames.length
  }
  return whole.sort((a, b) => a.number - b.number)
}

function headsOf({ threads }: ThreadFile): readonly Thread[] {
  return threads.map(({ name, crashed, frameCount }, number) => ({
    number,
    name: name ?? null,
    crashed: crashed === true,
    frameCount,
  }))
}

/** Adds to a frame what is known of its image. */
function describer(images: readonly StoredImage[]): (frame: StoredFrame) => Frame {
  const byUuid = new Map(images.map((image) => [image.uuid, image]))
  return (frame) => {
    const image = byUuid.get(frame.imageUuid ?? '')
    return {
      imageUuid: frame.imageUuid ?? null,
      imageName: image?.name ?? null,
      isSystem: image?.isSystem === true,
      address: frame.address,
      symbol: frame.symbol ?? null,
      rawSymbol: frame.rawSymbol ?? null,
      offset: frame.offset ?? null,
      file: frame.file ?? null,
      line: frame.line ?? null,
      column: frame.column ?? null,
      isInlined: frame.isInlined === true,
    }
  }
}
