/** The arrows between the rooms of the project, as ARCHITECTURE.md draws them, held by reading every import. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '..')

interface Room {
  /** Folders of the project that it may import from, beside itself; `types:` allows only `import type`. */
  readonly rooms: readonly (string | RegExp)[]
  /** Packages that it may import; `*` is any but the guarded ones. */
  readonly packages: readonly string[] | '*'
}

/** The files with the names of members and streams, which their machine writes and operations read. */
const memberKeyFiles = /^machines\/\w+\/(\w+\/)?\w+Keys\.ts$/

const rooms: Readonly<Record<string, Room>> = {
  spec: { rooms: [], packages: ['valibot', 'croner'] },
  machines: { rooms: ['spec'], packages: ['xstate', 'sorted-btree'] },
  'actors/flow': { rooms: [], packages: [] },
  'actors/effects': { rooms: ['spec', 'machines', 'actors', 'actors/flow', 'types:storage'], packages: '*' },
  actors: { rooms: ['actors/flow', 'spec', 'machines'], packages: ['xstate', '@xstate/store'] },
  storage: {
    rooms: ['spec', 'types:actors', 'actors/ports/journal.ts', 'actors/ports/outbox.ts', 'actors/flow'],
    packages: '*',
  },
  gateway: {
    rooms: [
      'spec',
      'actors/flow',
      'types:machines',
      'machines/rows.ts',
      memberKeyFiles,
      'types:actors',
      'types:actors/effects',
      'types:storage',
      'storage/database/startError.ts',
      'storage/search/match.ts',
    ],
    packages: '*',
  },
  clients: { rooms: ['spec'], packages: '*' },
}

/** Packages that only one place may import. */
const guarded: Readonly<Record<string, string>> = { postgres: 'storage', 'uWebSockets.js': 'gateway' }

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

const statement =
  /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(statement)].map(([, type, name, dynamic]) => ({
    from: file,
    to: (name ?? dynamic) as string,
    typeOnly: type !== undefined,
  }))
}

const files = globSync('{spec,machines,actors,storage,gateway,clients}/**/*.{ts,tsx}', {
  cwd: root,
}).sort()
const imports = files.flatMap(importsOf)

function roomOf(file: string): string {
  return /^actors\/(?:effects|flow)(?=[./])/.exec(file)?.[0] ?? (file.split('/')[0] as string)
}

function target({ from, to }: Import): string | undefined {
  return to.startsWith('.') ? relative(root, resolve(root, dirname(from), to)) : undefined
}

function allowed(one: Import): boolean {
  const room = rooms[roomOf(one.from)]
  if (room === undefined) return false
  const file = target(one)
  if (file === undefined) return packageAllowed(one, room)
  const there = roomOf(file)
  if (there === roomOf(one.from)) return true
  return room.rooms.some((rule) =>
    rule instanceof RegExp
      ? rule.test(file)
      : rule === `types:${there}`
        ? one.typeOnly
        : rule === there || rule === file,
  )
}

function packageAllowed({ from, to }: Import, room: Room): boolean {
  if (to.startsWith('node:')) return true
  const name = to
    .split('/')
    .slice(0, to.startsWith('@') ? 2 : 1)
    .join('/')
  const owner = guarded[name]
  if (owner !== undefined && roomOf(from) !== owner) return false
  return room.packages === '*' || room.packages.includes(name)
}

test('every import follows an arrow of the architecture', () => {
  assert.ok(imports.length > 50, 'the imports were found')
  assert.deepEqual(
    imports.filter((one) => !allowed(one)).map(({ from, to }) => `${from} imports ${to}`),
    [],
  )
})

test('the handlers of operations do not import the surfaces that serve them', () => {
  const surfaces = /^gateway\/(graphql|rest|mcp|pages|websocket)\//
  const found = imports.filter((one) => one.from.startsWith('gateway/operations/') && surfaces.test(target(one) ?? ''))
  assert.deepEqual(
    found.map(({ from, to }) => `${from} imports ${to}`),
    [],
  )
})

test('the runtime does not import the kinds of the product', () => {
  const kinds = /^(?:machines\/(?!framework\/)|spec\/core\/(?:kinds|ids)\.ts$)/
  const found = imports.filter((one) => roomOf(one.from) === 'actors' && kinds.test(target(one) ?? ''))
  assert.deepEqual(
    found.map(({ from, to }) => `${from} imports ${to}`),
    [],
  )
})

test('machines use no clock, no randomness and no IO', () => {
  const found = files
    .filter((file) => file.startsWith('machines/'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return [
        ...text.matchAll(
          /Date\.now|new Date\(\)|Math\.random|from 'node:|crypto\.|setTimeout|\binvoke:|jitter: (?!0[,\s])/g,
        ),
      ].map((match) => `${file}: ${match[0]}`)
    })
  assert.deepEqual(found, [])
})

test('members and streams are named by constants', () => {
  const found = files
    .filter((file) => /^(?:machines|gateway)\//.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const literals =
        /[mM]embers?(?:\.(?:get|has|with|without|first|range))?\([^()'`]*['`][^)\n]*|`(?:log|events|webhook)\/\$[^`]*`/g
      return [...text.matchAll(literals)].map((match) => `${file}: ${match[0]}`)
    })
  assert.deepEqual(
    found.filter((one) => !one.includes('Keys.ts: ')),
    [],
  )
})

test('imports, also those of types, have no cycles', () => {
  const graph = new Map<string, string[]>()
  for (const one of imports) {
    const file = target(one)
    if (file !== undefined) graph.set(one.from, [...(graph.get(one.from) ?? []), file])
  }
  const cycles: string[] = []
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || done.has(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  assert.deepEqual(cycles, [])
})

const all = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)))

/** Folders whose files a program writes, one for each kind, or that only ever get another one at the end. */
const unbounded = ['docs/machines', 'test/machines/golden', 'storage/migrations']

test('no folder has more than 25 files', () => {
  const counts = new Map<string, number>()
  for (const file of all) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  assert.deepEqual(
    [...counts].filter(([folder, count]) => count > 25 && !unbounded.includes(folder)),
    [],
  )
})

test('no folder has the name of a file beside it', () => {
  const folders = new Set(all.map(dirname))
  assert.deepEqual(
    all.filter((file) => /\.tsx?$/.test(file) && folders.has(file.replace(/(\.test)?\.tsx?$/, ''))),
    [],
  )
})
