/** Finds the dSYMs, zips them and uploads the zips one after another, so that only one zip is on the disk. */
import { appendFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { exitCodes, messageOf, UploadFailure } from './failures.ts'
import { findBundles } from './find/findBundles.ts'
import { matchLines } from './find/matchLines.ts'
import { type Bundle, readBundle } from './find/readBundle.ts'
import type { UploadOptions } from './options.ts'
import { Durations } from './report/durations.ts'
import { formatBytes } from './report/formatBytes.ts'
import type { Output } from './report/output.ts'
import { summaryLines, summaryMarkdown, type ZipResult } from './report/summary.ts'
import { usualRetry } from './send/attempts.ts'
import { sendZip } from './send/sendZip.ts'
import { type CompletedUpload, UploadApi } from './send/uploadApi.ts'
import type { StopSignals } from './stop.ts'
import { DeflateWorkers } from './zip/deflateWorkers.ts'
import { hashFile } from './zip/hashFile.ts'
import { type PlannedZip, planZips } from './zip/planZips.ts'
import { createTemporaryFolder, requireSpace, type TemporaryFolder } from './zip/temporaryFolder.ts'
import { writeZip } from './zip/writeZip.ts'

/** A network device may drop a connection that is silent for longer. The client asks again then. */
const completionIdleMs = 5 * 60_000

/** @returns the exit code @throws the reason of the signal */
export async function upload(options: UploadOptions, output: Output, stop: StopSignals): Promise<number> {
  const { bundles, zips } = await find(options, output)
  if (bundles.length + zips.length === 0) {
    const text = 'No dSYM was found, and nothing is uploaded. Check dsym_paths, and that the build creates dSYMs.'
    if (options.ifNoFilesFound === 'warn') output.warn(text)
    else output.info(text)
    return exitCodes.done
  }
  const results: ZipResult[] = []
  if (bundles.length > 0) results.push(...(await uploadBundles(planZips(bundles), options, output, stop)))
  for (const path of zips)
    results.push(
      await attempt(
        basename(path),
        () => send({ path, filename: basename(path), durations: new Durations() }, options, output, stop),
        output,
        stop,
      ),
    )
  await summarize(results, options, output)
  return results.every(({ completed }) => completed !== undefined) ? exitCodes.done : exitCodes.failed
}

async function find(
  { paths }: UploadOptions,
  output: Output,
): Promise<{ readonly bundles: readonly Bundle[]; readonly zips: readonly string[] }> {
  const { paths: matched, unmatched } = await matchLines(paths, process.cwd())
  for (const line of unmatched)
    if (line.startsWith('!'))
      output.warn(
        `The line ${line} excludes no match of another line. It does not exclude bundles inside a matched folder.`,
      )
    else output.info(`The line ${line} matches no path.`)
  const warn = (text: string) => output.warn(text)
  const found = await findBundles(matched, warn)
  const bundles: Bundle[] = []
  for (const path of found.bundles) {
    const bundle = await readBundle(path, warn)
    if (bundle !== undefined) bundles.push(bundle)
  }
  return { bundles, zips: found.zips }
}

async function uploadBundles(
  plans: readonly PlannedZip[],
  options: UploadOptions,
  output: Output,
  stop: StopSignals,
): Promise<readonly ZipResult[]> {
  const results: ZipResult[] = []
  let folder: TemporaryFolder | undefined
  try {
    for (const plan of plans)
      results.push(
        await attempt(
          plan.filename,
          async () => {
            folder ??= await createTemporaryFolder(options.temporaryFolder)
            const zipFolder = folder
            const durations = new Durations()
            const path = await durations.measure('zip', () => createZip(plan, zipFolder, output, stop))
            return send({ path, filename: plan.filename, durations }, options, output, stop)
          },
          output,
          stop,
          // The next zip needs its space.
          () => {
            folder?.remove()
            folder = undefined
          },
        ),
      )
  } finally {
    folder?.remove()
  }
  return results
}

async function createZip(
  plan: PlannedZip,
  folder: TemporaryFolder,
  output: Output,
  stop: StopSignals,
): Promise<string> {
  output.info(`Zipping ${plan.bundles} dSYMs (${formatBytes(plan.size)}) into ${plan.filename}.`)
  await requireSpace(folder.path, plan)
  const path = join(folder.path, plan.filename)
  const workers = new DeflateWorkers()
  try {
    const onProgress = (done: number) => output.progress({ label: `Zipping ${plan.filename}`, done, total: plan.size })
    await writeZip(plan, path, { workers, signal: stop.now, onProgress })
  } finally {
    output.progress(undefined)
    await workers.end()
  }
  return path
}

interface CreatedZip {
  readonly path: string
  readonly filename: string
  readonly durations: Durations
}

async function send(
  { path, filename, durations }: CreatedZip,
  options: UploadOptions,
  output: Output,
  stop: StopSignals,
): Promise<CompletedUpload> {
  const { size, sha256 } = await durations.measure('hash', () => hashFile(path, stop.now))
  const { access, chunkSize, idleMs, completionMs, maxAttempts } = options
  output.info(`Sending ${filename} (${formatBytes(size)}, SHA-256 ${sha256}) to ${access.server}.`)
  const api = new UploadApi(access, stop, { idleMs, completionIdleMs })
  try {
    const completed = await sendZip(
      { filename, path, size, sha256 },
      {
        api,
        stop,
        durations,
        chunkSize,
        completionMs,
        retry: { ...usualRetry, most: maxAttempts },
        print: (text) => output.info(text),
        onProgress: (done) => output.progress({ label: `Sending ${filename}`, done, total: size }),
      },
    )
    output.info(`${filename}: ${durations.describe()}.`)
    for (const { bundle, message } of completed.warnings) output.warn(`${filename}: ${bundle}: ${message}`)
    return completed
  } finally {
    output.progress(undefined)
  }
}

/** A failure of one zip does not stop the others. A signal does. */
async function attempt(
  filename: string,
  work: () => Promise<CompletedUpload>,
  output: Output,
  stop: StopSignals,
  after: () => void = () => {},
): Promise<ZipResult> {
  try {
    return { filename, completed: await work(), failure: undefined }
  } catch (error) {
    stop.now.throwIfAborted()
    const failure = error instanceof UploadFailure ? error.message : `${messageOf(error)}. Rerun the step.`
    output.error(`${filename}: ${failure}`)
    return { filename, completed: undefined, failure }
  } finally {
    after()
  }
}

async function summarize(results: readonly ZipResult[], { summaryFile }: UploadOptions, output: Output): Promise<void> {
  for (const line of summaryLines(results)) output.info(line)
  const failed = results.filter(({ completed }) => completed === undefined).length
  if (failed > 0) output.error(`${failed} of ${results.length} zips were not uploaded.`)
  if (summaryFile === undefined) return
  await appendFile(summaryFile, summaryMarkdown(results, output.mask)).catch((error: unknown) => {
    output.warn(`The summary was not written to GITHUB_STEP_SUMMARY: ${messageOf(error)}.`)
  })
}
