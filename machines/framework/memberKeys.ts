/** The keys of those members of an actor that share a prefix. The rest of such a key identifies the member: `job/` and the ID of a job. */
export interface MemberKeys {
  readonly prefix: string
  toKey(id: string): string
  /** @param key begins with the prefix */
  toId(key: string): string
}

export function memberKeys(prefix: `${string}/`): MemberKeys {
  return Object.freeze({
    prefix,
    toKey: (id: string) => prefix + id,
    toId: (key: string) => key.slice(prefix.length),
  })
}
