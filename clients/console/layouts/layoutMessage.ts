/** The messages between the server and the thread that lays out charts. */
import type { ChartForm } from '../../../spec/pages/chartPath.ts'
import type { Locale } from '../../../spec/pages/locales.ts'

export interface LayoutRequest {
  readonly id: number
  readonly definition: string
  readonly form: ChartForm
  readonly locale: Locale
}

export type LayoutResponse =
  | { readonly id: number; readonly json: string }
  | { readonly id: number; readonly problem: string }
