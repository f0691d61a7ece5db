/** An actor: its lifecycle and, for a job, its output. */
import { LogView } from '../runs/log/LogView.tsx'
import { ActorLifecycle } from './ActorLifecycle.tsx'

export function ActorPage({ id }: { readonly id: string }) {
  return (
    <section>
      <ActorLifecycle id={id} hasTitle />
      {id.startsWith('job_') && <LogView key={id} jobId={id} />}
    </section>
  )
}
