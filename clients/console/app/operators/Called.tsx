/** The title of an actor, and its ID, which its log lines and messages contain. */
export interface Name {
  readonly id: string
  readonly title: string | null
}

export function Called({ id, title }: Name) {
  return (
    <>
      {title !== null && <span class="title">{title}</span>} <span class="id">{id}</span>
    </>
  )
}
