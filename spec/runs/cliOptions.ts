import type { Json } from '../core/actor.ts'

/** The options of the coding CLI that a run's configuration may set. They are part of the instructions for the agent. */
export type CliOptions = {
  readonly model?: string
  readonly cliMode?: string
  readonly permissions?: Permissions
}

type Permissions = {
  readonly policy: 'ASK' | 'ALLOW_EDITS' | 'ALLOW_ALL' | 'DENY'
  readonly rules: readonly { readonly kind: string; readonly decision: 'ASK' | 'ALLOW' | 'DENY' }[]
}

/** Changes of options. An absent one does not change. Null is the default. */
export type CliOptionChanges = {
  readonly model?: string | null
  readonly cliMode?: string | null
  readonly policy?: Permissions['policy'] | null
  readonly rules?: Permissions['rules'] | null
}

export function changeCliOptions(options: CliOptions, changes: CliOptionChanges): CliOptions {
  const {
    model = options.model ?? null,
    cliMode = options.cliMode ?? null,
    policy = options.permissions?.policy ?? null,
    rules = options.permissions?.rules ?? null,
  } = changes
  const hasPermissions = policy !== null || (rules ?? []).length > 0
  return {
    ...(model === null ? {} : { model }),
    ...(cliMode === null ? {} : { cliMode }),
    ...(hasPermissions ? { permissions: { policy: policy ?? 'ASK', rules: rules ?? [] } } : {}),
  }
}

type Spec = Readonly<Record<string, Json>>

export function cliOptionsOf(spec: Json): CliOptions {
  const { model, cliMode, permissions } = spec as Spec
  return {
    ...(model === undefined ? {} : { model }),
    ...(cliMode === undefined ? {} : { cliMode }),
    ...(permissions === undefined ? {} : { permissions }),
  } as CliOptions
}

/** The instructions with these options instead of their own. Without options: unchanged. */
export function withCliOptions(spec: Json, options: CliOptions | undefined): Json {
  if (options === undefined) return spec
  const { model: _model, cliMode: _mode, permissions: _permissions, ...rest } = spec as Spec
  return { ...rest, ...options }
}
