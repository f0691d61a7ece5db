/** An actor by what people call it, and by its ID, which its log lines and messages have. */
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
