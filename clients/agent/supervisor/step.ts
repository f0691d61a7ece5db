import { spawn } from 'node:child_process'
import type { RunPlan } from '../jobs/folder.ts'
import { markVariable } from '../system/processes.ts'

export interface StepEnd {
  step: RunPlan['steps'][number] | undefined
  exitCode: number | undefined
  signal: string | undefined
  /** The reason why it could not be started. */
  error: string | undefined
}

export interface StartedStep {
  /** The process group that was created for it. */
  group: number | undefined
  ended: Promise<StepEnd>
  /** Resolves when all output of the process and its children has been collected. */
  drained: Promise<void>
}

interface Sink {
  output(stream: 'STDOUT' | 'STDERR', data: Buffer): void
}

/**
 * Starts a command step in its own session and process group, with the job's mark and these variables in its environment, and without
 * input.
 */
export function startStep(
  step: RunPlan['steps'][number],
  plan: RunPlan,
  variables: Readonly<Record<string, string>>,
  sink: Sink,
): StartedStep {
  const cwd = step.cwd ?? plan.cwd
  const child = spawn(step.file, step.args, {
    cwd,
    env: { ...process.env, PWD: cwd, ...plan.env, ...step.env, ...variables, [markVariable]: plan.mark },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.on('data', (data: Buffer) => sink.output('STDOUT', data))
  child.stderr.on('data', (data: Buffer) => sink.output('STDERR', data))
  const drained = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  const ended = new Promise<StepEnd>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve({ step, exitCode: code ?? undefined, signal: signal ?? undefined, error: undefined }),
    )
    child.once('error', (error) =>
      resolve({
        step,
        exitCode: undefined,
        signal: undefined,
        error: `Step “${step.name}” could not be started in ${cwd}: ${error.message}`,
      }),
    )
  })
  return { group: child.pid, ended, drained }
}
