/** The images of worktrees as an agent of the fuzzer has them: the two sides of a change, or the reason why a side is missing. */
import { createHash } from 'node:crypto'
import { blue, makePng, red } from '../../../kit/program/objects/images.ts'

export const sampleImages = { before: makePng(8, 4, () => red), after: makePng(8, 4, () => blue) } as const

export type SampleSide = keyof typeof sampleImages

const contentOf = (side: SampleSide) => ({
  content: 'PNG',
  size: sampleImages[side].length,
  sha256: createHash('sha256').update(sampleImages[side]).digest('hex'),
})

/** The results that a job can have, with the sides whose bytes must be sent before. */
export const sampleReadings: readonly { readonly sent: readonly SampleSide[]; readonly result: object }[] = [
  { sent: ['before', 'after'], result: { before: contentOf('before'), after: contentOf('after') } },
  { sent: ['after'], result: { before: { content: 'ABSENT', size: null }, after: contentOf('after') } },
  { sent: [], result: { before: { content: 'SVG', size: 300 }, after: { content: 'TOO_LARGE', size: 10 ** 9 } } },
]
