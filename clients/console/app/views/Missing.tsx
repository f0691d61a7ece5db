import { Empty } from '../parts/Notice.tsx'

export function Missing({ what }: { readonly what: string }) {
  return (
    <section>
      <h1>Not here</h1>
      <Empty title={what}>
        <p>
          <a href="/">See what waits for you</a>
        </p>
      </Empty>
    </section>
  )
}
