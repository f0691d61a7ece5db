/** A worker thread that compares two images. Decoding would block the main thread, and a hostile image must be able to be ended. */
import { parentPort, workerData } from 'node:worker_threads'
import { PNG } from 'pngjs'
import type { DiffImageSide } from '../../spec/worktrees/diffImages.ts'
import { drawDifference, putSideBySide } from './compareImages.ts'
import { decodeImage } from './decode/decodeImage.ts'
import type { ComparisonInput, DrawnImage, FromImageWorker } from './imageComparer.ts'
import { ImageProblem } from './imageProblem.ts'
import type { Pixels } from './pixels.ts'

const port = parentPort
if (port === null) throw new Error('this file can run only as a worker thread')

/** The sides are decoded in this order, so a problem belongs to the one that was begun last. */
let current: DiffImageSide = 'before'

const send = (message: FromImageWorker): void => port.postMessage(message)

try {
  send({ type: 'compared', ...(await compare(workerData as ComparisonInput)) })
} catch (error) {
  if (!(error instanceof ImageProblem)) throw error
  send({ type: 'problem', side: current, reason: error.reason, message: error.message })
}

async function compare(input: ComparisonInput): Promise<DrawnImage> {
  const decode = async (side: DiffImageSide): Promise<Pixels | undefined> => {
    const image = input[side]
    if (image === undefined) return undefined
    current = side
    return await decodeImage(Buffer.from(image.bytes), image.format, input.maxPixels)
  }
  const [before, after] = [await decode('before'), await decode('after')]
  if (input.view === 'side') return { png: encode(putSideBySide(before, after)), changedPixels: null }
  const { image, changed } = drawDifference(before, after)
  return { png: encode(image), changedPixels: changed }
}

/** The least compression that pays off: the image is sent once, and kept for a short time. */
function encode(image: Pixels): Uint8Array {
  return new Uint8Array(PNG.sync.write(image, { deflateLevel: 3 }))
}
