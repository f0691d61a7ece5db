import type { Name } from './Called.tsx'

export interface StuckActor {
  readonly cause: 'EFFECT_FAILED' | 'OVERDUE' | 'UNWATCHED'
  readonly since: string
  readonly waitsFor: readonly string[]
  readonly actor: Name & { readonly kind: string; readonly status: string; readonly sequence: number }
  readonly effects: readonly {
    readonly id: string
    readonly type: string
    readonly attempts: number
    readonly problem: string
  }[]
}
