/** The work of each job that a run, a build or a step of a workflow has created: derived from the IDs, without the rows of the jobs. */
import { jobIdOf, stepIdOf } from '../../../../machines/work/steps/stepKeys.ts'
import { siblingId } from '../../../../spec/core/ids.ts'
import type { StepDefinition } from '../../../../spec/work/workflows/steps.ts'
import type { Line, Seen, SeenActor } from './seen.ts'

/** The parameters of one execution of `work.sh`. */
export interface WorkCommand {
  readonly name: string
  readonly lines: number
  readonly code: number
}

export interface JobWork {
  readonly jobId: string
  /** The run, or the build. */
  readonly run: SeenActor
  /** The step of a workflow that the job is an attempt of. */
  readonly step?: SeenActor
  readonly commands: readonly WorkCommand[]
}

/** The exit code of a command that fails on about half of its jobs. `work.sh` decides in the same way. */
const sometimes = 'sometimes'

export const jobOf = (mark: Line['mark']): string => mark.slice(0, mark.lastIndexOf('.'))

export function readCommand(words: string, jobId: string): WorkCommand {
  const [, lines, code, name = ''] = words.split(' ')
  return { name, lines: Number(lines), code: code === sometimes ? failureOf(jobId) : Number(code) }
}

const failureOf = (jobId: string): number => (/[0-9a-f]$/.test(jobId) ? 3 : 0)

/** By the ID of the job. */
export function readJobWork({ actors }: Pick<Seen, 'actors'>): ReadonlyMap<string, JobWork> {
  const found = new Map<string, JobWork>()
  for (const run of actors.values()) {
    if (run.kind === 'build') {
      const jobId = siblingId('job', run.id)
      const { steps } = run.init.content as unknown as { readonly steps: readonly { readonly command: string }[] }
      found.set(jobId, { jobId, run, commands: steps.map(({ command }) => readCommand(wordsOf(command), jobId)) })
    }
    if (run.kind !== 'run') continue
    if (run.init.jobKind === 'STEPS') for (const work of workOfSteps(run, actors)) found.set(work.jobId, work)
    else {
      const jobId = siblingId('job', run.id)
      found.set(jobId, { jobId, run, commands: textsOf(run).map((words) => readCommand(words, jobId)) })
    }
  }
  return found
}

function workOfSteps(run: SeenActor, actors: Seen['actors']): JobWork[] {
  const { definition } = run.init.spec as unknown as { readonly definition: { readonly steps: StepDefinition[] } }
  return definition.steps.flatMap(({ action }, index) => {
    const step = actors.get(stepIdOf(run.id, index))
    if (step === undefined || action.command === null) return []
    const words = wordsOf(action.command.script)
    return Array.from({ length: Number(step.context.attempt) }, (_, before) => {
      const jobId = jobIdOf(step.id, before + 1)
      return { jobId, run, step, commands: [readCommand(words, jobId)] }
    })
  })
}

function textsOf({ init }: SeenActor): readonly string[] {
  const { steps, prompt = '' } = init.spec as { steps?: readonly { command: string }[]; prompt?: string }
  return steps === undefined ? [prompt] : steps.map(({ command }) => wordsOf(command))
}

const wordsOf = (script: string): string => / '([^']*)'$/.exec(script)?.[1] ?? ''
