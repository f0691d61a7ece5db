/** The measurements of `bench:runs`: the real program and agent, a repository with worktrees, and a stock CLI with a scripted model. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startMachine } from '../../../kit/program/machine.ts'
import { connect } from '../../../kit/program/socket.ts'
import { startTestProgram } from '../../../kit/program/testProgram.ts'
import type { StockCli } from '../../../stockClis/clis.ts'
import { runDirectly } from './directRun.ts'
import { runWithProduct } from './productRun.ts'
import { startTimedModel } from './timedModel.ts'
import { clockTime, type TimedRun } from './timedRun.ts'

export interface RunsBench {
  readonly cli: StockCli
  /** Runs of each way, one after the other. */
  readonly runs: number
  readonly worktrees: number
  readonly atOnce: number
  report(line: string): void
}

export interface RunsFigures {
  readonly product: readonly TimedRun[]
  readonly direct: readonly TimedRun[]
  readonly productPerMinute: number
  readonly directPerMinute: number
}

export async function measureRuns({ cli, runs, worktrees, atOnce, report }: RunsBench): Promise<RunsFigures> {
  const model = await startTimedModel()
  const raised = { LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '10000000' }
  report(`limits are raised: ${JSON.stringify(raised)}`)
  const stage = await startTestProgram({ env: raised })
  try {
    const marks = join(stage.folder, 'marks')
    await mkdir(marks)
    // The repository has a worktree too.
    const branches = Array.from({ length: worktrees - 1 }, (_, index) => `work${index + 1}`)
    const command = shellCommand(cli, model.url, join(stage.folder, 'home'), marks)
    const machine = await startMachine(stage, { branches, clis: [`${cli.name}=acp:${command}`] })
    const places = ['main', ...branches]
    const client = connect(stage.url, { 'X-API-Key': stage.key })
    stage.onEnd(() => client.dispose())
    const product = (branch: string) =>
      runWithProduct({
        ...{ ask: stage.ask, client, model, marks, cliName: cli.name },
        worktreeId: machine.worktree(branch),
      })
    const direct = (branch: string) =>
      runDirectly({ cli, model, folder: join(stage.folder, 'direct'), worktree: machine.path(branch) })
    report('one run of each way first, which is not counted')
    await product('main')
    await direct('main')
    const times: { readonly product: TimedRun[]; readonly direct: TimedRun[] } = { product: [], direct: [] }
    for (let run = 0; run < runs; run++) {
      const branch = places[run % places.length] ?? 'main'
      times.product.push(await product(branch))
      times.direct.push(await direct(branch))
    }
    report(`${worktrees} runs of each way, ${atOnce} at the same time`)
    const productPerMinute = await perMinute(places, atOnce, product)
    const directPerMinute = await perMinute(places, atOnce, direct)
    return { ...times, productPerMinute, directPerMinute }
  } finally {
    await stage.end()
    await model.close()
  }
}

/** Leaves a file with the time of the start. A redirection costs no process. */
function shellCommand(cli: StockCli, modelUrl: string, home: string, marks: string): string {
  const { file, args, env } = cli.prepare(modelUrl, home)
  const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  return `: > '${marks}'/"$SIGNALBOX_JOB"; ${['exec', 'env', ...settings, file, ...args].join(' ')}`
}

/** Runs one on each place, a number of them at the same time. */
async function perMinute(
  places: readonly string[],
  atOnce: number,
  run: (place: string) => Promise<unknown>,
): Promise<number> {
  const left = [...places]
  const began = clockTime()
  const worker = async (): Promise<void> => {
    for (let place = left.shift(); place !== undefined; place = left.shift()) await run(place)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return (places.length / (clockTime() - began)) * 60_000
}
