import { ActorLifecycle } from './ActorLifecycle.tsx'

export function ActorPage({ id }: { readonly id: string }) {
  return (
    <section>
      <ActorLifecycle id={id} hasTitle />
    </section>
  )
}
