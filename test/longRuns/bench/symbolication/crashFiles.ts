/** The crash reports of a run, which are the same for the same seed, and the names that they must get. */
import {
  type AppOfImages,
  type CompiledImage,
  type CrashFile,
  type CrashShape,
  makeCrashFile,
} from '../../../kit/program/objects/appImages.ts'
import { Random } from '../../soak/random.ts'

export function* makeCrashFiles(
  app: AppOfImages,
  shape: CrashShape & { readonly compiled: CompiledImage },
  count: number,
  seed: number,
): Generator<CrashFile> {
  const random = new Random(seed)
  for (let made = 0; made < count; made++) yield makeCrashFile(app, shape.compiled, shape, (end) => random.below(end))
}

/**
 * The names of the frames of each report.
 * @param functions those of each address of all reports, in their order, with the inlined calls
 */
export function namesByReport(
  files: readonly CrashFile[],
  functions: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  let at = 0
  return files.map(({ threads }) => {
    const from = at
    for (const calls of threads) at += calls.length
    return functions.slice(from, at).flat()
  })
}
