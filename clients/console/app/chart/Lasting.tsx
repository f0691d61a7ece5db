/** For how long an actor stood somewhere; of what goes on only this is drawn anew, not the chart around it. */
import { lasted } from '../parts/lasted.ts'
import { present } from '../parts/Moment.tsx'
import { type Stood, totalOf } from './times.ts'

export function Lasting({ stood }: { readonly stood: Stood }) {
  return <>{lasted(stood.since === null ? stood.ms : totalOf(stood, present()))}</>
}
