import type * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import type { Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import {
  type CliOptionChanges,
  type CliOptions,
  changeCliOptions,
  cliOptionsOf,
  withCliOptions,
} from '../../../spec/runs/cliOptions.ts'
import type { runConfiguration, runConfigurationOutput } from '../../../spec/runs/runConfiguration.ts'

export type RunConfiguration = v.InferOutput<typeof runConfiguration>

/** The options that a configuration sets. @throws Failure BAD_USER_INPUT if it has two rules for one kind of tool */
export function toCliOptions(configuration: RunConfiguration | null | undefined): CliOptions {
  const changes = toCliOptionChanges(configuration ?? {})
  const kinds = (changes.rules ?? []).map(({ kind }) => kind)
  const twice = kinds.find((kind, index) => kinds.indexOf(kind) !== index)
  if (twice !== undefined)
    throw new Failure('BAD_USER_INPUT', `configuration.permissionRules: ${twice} has two rules. Keep one of them.`, {
      details: { field: 'configuration.permissionRules' },
    })
  return changeCliOptions({}, changes)
}

/** The changes of options for which a configuration has a value or null. */
export function toCliOptionChanges({
  model,
  mode,
  permissionPolicy,
  permissionRules,
}: RunConfiguration): CliOptionChanges {
  return {
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { cliMode: mode }),
    ...(permissionPolicy === undefined ? {} : { policy: permissionPolicy }),
    ...(permissionRules === undefined ? {} : { rules: permissionRules }),
  }
}

/** @throws Failure BAD_USER_INPUT if there are options, because only AI runs have a coding CLI */
export function refuseCliOptions(options: CliOptions): void {
  const names = { model: 'model', cliMode: 'mode', permissions: 'permissionPolicy' } as const
  for (const [key, name] of Object.entries(names)) {
    if (!Object.hasOwn(options, key)) continue
    throw new Failure('BAD_USER_INPUT', `configuration.${name}: the run has no coding CLI. Leave it out.`, {
      details: { field: `configuration.${name}` },
    })
  }
}

/** The instructions of a run, with the options that were set while it was queued. */
export function specOf({ init, context }: TypedRow<'run'>): Readonly<Record<string, Json>> {
  return withCliOptions(init.spec, context.options) as Readonly<Record<string, Json>>
}

export function toConfiguration(row: TypedRow<'run'>): v.InferInput<typeof runConfigurationOutput> {
  const { model = null, cliMode = null, permissions } = cliOptionsOf(specOf(row))
  return {
    worktreeConcurrencyLimit: row.context.queue.limit,
    model,
    mode: cliMode,
    permissionPolicy: permissions?.policy ?? 'ASK',
    permissionRules: [...(permissions?.rules ?? [])] as v.InferInput<typeof runConfigurationOutput>['permissionRules'],
  }
}
