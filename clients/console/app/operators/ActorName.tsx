import { ForeignText } from '../parts/ForeignText.tsx'

/** The title of an actor, and its ID, which its log lines and messages contain. */
export interface NamedActor {
  readonly id: string
  readonly title: string | null
}

export function ActorName({ id, title }: NamedActor) {
  return (
    <>
      {title !== null && (
        <span class="title">
          <ForeignText text={title} />
        </span>
      )}{' '}
      <span class="id">{id}</span>
    </>
  )
}
