/** The keys under which servers stand in a document: made of their names, so that people recognise them. */

/** What would be taken for something of this installation: an ID, or the beginning of an alias. */
const misleading = /^(mcs-|svc-ext-|server-\d)/

function label(name: string | undefined): string | undefined {
  const plain = (name ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-+|-+$/g, '')
  return plain === '' || misleading.test(`${plain}-`) ? undefined : plain
}

/** By server ID, in the order given; no two are the same. */
export function serverKeysOf(ids: readonly string[], names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  const taken = new Set<string>()
  for (const id of ids) {
    if (keys.has(id)) continue
    const own = label(names.get(id))
    let key = own ?? `server-${keys.size + 1}`
    for (let more = 2; taken.has(key); more++) key = `${own ?? 'server'}-${own === undefined ? keys.size + more : more}`
    taken.add(key)
    keys.set(id, key)
  }
  return keys
}
