/** The search text of an actor, which its machine provides. It contains no secrets and nothing that redaction hides. */
export interface Searchable {
  /** The name of the actor for users: a name, a title, a branch. Only the first 200 characters count. */
  readonly title: string
  /** Other text by which a user may search for it: a path, a host, an address. Only the first 1,000 characters count. */
  readonly text: string
}
