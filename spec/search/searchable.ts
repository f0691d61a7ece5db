/** What an actor is found by, as its machine says it: nothing that is secret, and nothing that redaction hides. */
export interface Searchable {
  /** What a person knows it by: a name, a title, a branch. At most the first 200 characters count. */
  readonly title: string
  /** Whatever else somebody may remember of it: a path, a host, an address. At most the first 1,000 characters count. */
  readonly text: string
}
