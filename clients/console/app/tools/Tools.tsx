/** What AI clients and runs may use: presets, the external servers behind them, and what was called. */
import { Missing } from '../views/Missing.tsx'

export function Tools({ section }: { readonly section: string }) {
  return <Missing what={`There is no ${section} here.`} />
}
