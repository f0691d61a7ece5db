/** The address of a statechart's layout, which the server computes for the console. */
import type { Locale } from './locales.ts'

/** The states follow each other from left to right, or from top to bottom. `picture` is for a file: its labels are those of the machine. */
export const chartForms = ['right', 'down', 'picture'] as const
export type ChartForm = (typeof chartForms)[number]

export interface ChartRequest {
  /** The labels of states are in this language. */
  readonly locale: Locale
  readonly form: ChartForm
  /** The kind as the API writes it, such as `WORKTREE_QUEUE`. */
  readonly kind: string
  /** The hash of the machine's definition. */
  readonly hash: string
}

export const chartPathTemplate = '/charts/{locale}/{form}/{kind}/{hash}'

export function getChartPath({ locale, form, kind, hash }: ChartRequest): string {
  return `/charts/${locale}/${form}/${kind}/${hash}`
}
