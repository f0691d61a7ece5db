import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type AppOfImages,
  type CompiledImage,
  type CrashFile,
  lookedUpAddress,
  symbolsOfImage,
} from '../../../kit/program/objects/appImages.ts'
import { runLlvmLong } from '../../../kit/program/objects/dsymFixtures.ts'

export interface LlvmNames {
  /** From the start of the process to its end. */
  readonly ms: number
  /** The functions of each frame, the innermost first: in the order of the reports, their threads and their frames. */
  readonly functions: readonly (readonly string[])[]
}

/** Names all frames of the reports with one process of llvm-symbolizer, which reads the dSYMs from files in the folder. */
export async function nameByLlvm(
  folder: string,
  { images }: AppOfImages,
  compiled: CompiledImage,
  reports: readonly CrashFile[],
): Promise<LlvmNames> {
  const paths = images.map((image) => {
    const path = join(folder, image.uuid)
    writeFileSync(path, symbolsOfImage(compiled, image))
    return path
  })
  const input = reports
    .flatMap(({ threads }) => threads)
    .flatMap((calls) =>
      calls.map((call, position) => `CODE "${paths[call.image]}" 0x${lookedUpAddress(call, position).toString(16)}\n`),
    )
    .join('')
  const began = performance.now()
  const output = await runLlvmLong('llvm-symbolizer', ['--output-style=JSON', '--default-arch=arm64'], input)
  const ms = performance.now() - began
  const functions = output
    .trimEnd()
    .split('\n')
    .map((line) =>
      (JSON.parse(line) as { readonly Symbol: readonly { readonly FunctionName: string }[] }).Symbol.map(
        ({ FunctionName }) => FunctionName,
      ),
    )
  return { ms, functions }
}
