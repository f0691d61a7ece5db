/** Creates the keys of servers in a document. They are made from the servers' names, so that users recognize them. */

/** Names that look like an ID or an alias of this installation. */
const misleading = /^(mcs-|svc-ext-|server-\d)/

function makeLabel(name: string | undefined): string | undefined {
  const plain = (name ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-+|-+$/g, '')
  return plain === '' || misleading.test(`${plain}-`) ? undefined : plain
}

/** Unique keys by server ID, in the given order. */
export function makeServerKeys(
  ids: readonly string[],
  names: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  const taken = new Set<string>()
  for (const id of ids) {
    if (keys.has(id)) continue
    const own = makeLabel(names.get(id))
    let key = own ?? `server-${keys.size + 1}`
    for (let more = 2; taken.has(key); more++) key = `${own ?? 'server'}-${own === undefined ? keys.size + more : more}`
    taken.add(key)
    keys.set(id, key)
  }
  return keys
}
