/** The time that an actor has spent in a state. Only this part is rendered again as time passes, not the chart around it. */
import { lasted } from '../parts/lasted.ts'
import { present } from '../parts/Moment.tsx'
import { type Stood, totalOf } from './times.ts'

export function Lasting({ stood }: { readonly stood: Stood }) {
  return <>{lasted(stood.since === null ? stood.ms : totalOf(stood, present()))}</>
}
