/** The search documents of machines contain no redacted value, in any reachable state. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Definition } from '../../machines/framework/define.ts'
import { Members } from '../../machines/framework/members.ts'
import { machines } from '../../machines/machines.ts'
import { workflowMembers } from '../../machines/work/workflowKeys.ts'
import type { Json } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { searchedKinds } from '../../spec/core/kinds.ts'
import type { Searchable } from '../../spec/search/searchable.ts'
import { begin } from '../kit/runtime/applyEvent.ts'
import { inits } from '../kit/runtime/samples/samples.ts'
import { tryAll } from './goldenTables.ts'

const definitions = Object.values(machines)

test('the searched kinds are exactly the kinds whose machines define a search document', () => {
  const searched = definitions.filter(({ search }) => search !== undefined).map(({ kind }) => kind)
  assert.deepEqual([...searched].sort(), [...searchedKinds].sort())
})

test('users, credentials, registrations and enrollments are not searched', () => {
  const identity: readonly ActorKind[] = ['user', 'authSession', 'authCode', 'apiKey', 'registration', 'enrollment']
  for (const kind of identity) assert.equal(machines[kind].search, undefined, kind)
})

const mark = 'MARKED'
const markedAll = (value: unknown): unknown => {
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, markedAll(inner)]))
  }
  return mark
}

/** A record with marks in the place of what redaction hides. */
function marked<T extends object>(record: T, keys: readonly string[] = []): T {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, keys.includes(key) ? markedAll(value) : value]),
  ) as T
}

function* searchesOf(definition: Definition): Generator<Searchable | undefined> {
  const { kind, search, redact } = definition
  for (const { from } of tryAll(kind)) {
    const { init, ...context } = from.state.context
    const hidden = { ...marked(context, redact?.context), init: marked(init, redact?.init) }
    yield search?.({ value: from.state.configuration.value, context: hidden })
  }
}

for (const kind of searchedKinds) {
  test(`${kind} has a search document, and no state puts a redacted value into it`, () => {
    const all = [...searchesOf(machines[kind])]
    assert.ok(all.some((one) => one !== undefined))
    for (const one of all) {
      assert.ok(!JSON.stringify(one ?? '').includes(mark), JSON.stringify(one))
      if (one !== undefined) assert.deepEqual([typeof one.title, typeof one.text], ['string', 'string'])
      assert.notEqual(one?.title, '')
    }
  })
}

/** The search document of an actor after its creation with this init. */
function madeOf(kind: ActorKind, change: Readonly<Record<string, Json>>): Searchable | undefined {
  const definition = machines[kind]
  const { snapshot } = begin(definition, { id: 'x_1', init: { ...inits[kind], ...change }, at: 0 })
  return definition.search?.({ value: snapshot.state.configuration.value, context: snapshot.state.context })
}

test('a codebase is found by its repository and its path, without the credential in its remote’s address', () => {
  const state = {
    ...(inits.codebase.state as object),
    branch: 'main',
    observedOrigin: 'https://ada:hunter2@git.example.com/acme/orders.git',
  }
  assert.deepEqual(madeOf('codebase', { path: '/srv/orders-checkout', state }), {
    title: 'orders',
    text: '/srv/orders-checkout git.example.com/acme/orders main',
  })
  assert.deepEqual(madeOf('codebase', { path: 'C:\\src\\orders', state: { ...state, observedOrigin: null } }), {
    title: 'orders',
    text: 'C:\\src\\orders main',
  })
})

test('a workflow is found by its names and the names of its steps, not by the commands of the steps', () => {
  const step = (name: string) => ({ name, command: `curl -H "Authorization: ${mark}"` })
  const definition = { name: 'Nightly', steps: [step('build'), step('upload')] }
  assert.deepEqual(madeOf('workflow', { definition }), { title: 'Nightly', text: 'build, upload' })
  const both = Members.empty
    .with(workflowMembers.published, { name: 'Nightly', steps: [step('build')] })
    .with(workflowMembers.draft, definition)
  const context = { init: inits.workflow, members: both.with(workflowMembers.draft, { ...definition, name: 'Weekly' }) }
  const found = machines.workflow.search?.({ value: { lifecycle: 'PUBLISHED' }, context })
  assert.deepEqual(found, { title: 'Nightly', text: 'Weekly, build, upload' })
})

test('an external server is found by its name and host, and nothing else of its URL', () => {
  const server = {
    name: 'Issues',
    catalogPrefix: 'iss',
    url: `https://${mark}@issues.example.com:8443/mcp/${mark}?key=${mark}`,
  }
  assert.deepEqual(madeOf('mcpServer', { ...server, transport: 'STREAMABLE_HTTP' }), {
    title: 'Issues',
    text: 'issues.example.com:8443 iss STREAMABLE_HTTP',
  })
})

test('an app is found by its bundle identifier, a crash report by its exception and build, a dSYM by names and UUIDs', () => {
  assert.deepEqual(madeOf('app', { name: 'Orders', bundleIdentifier: 'com.example.orders' }), {
    title: 'Orders',
    text: 'com.example.orders',
  })
  const build = { version: '2.1', build: '77' }
  const system = { osName: 'iOS', osVersion: '18.1', deviceModel: null }
  assert.deepEqual(
    madeOf('crashReport', {
      ...build,
      ...system,
      exceptionType: 'EXC_CRASH',
      exceptionReason: 'index 4 beyond bounds',
    }),
    {
      title: 'EXC_CRASH',
      text: 'index 4 beyond bounds · 2.1 (77) iOS 18.1',
    },
  )
  const uuid = '0A1B2C3D-0000-4000-8000-00000000000F'
  assert.deepEqual(madeOf('dsym', { ...build, images: [{ name: 'Orders', uuid, arch: 'arm64' }] }), {
    title: 'Orders 2.1 (77)',
    text: `Orders ${uuid}`,
  })
})

test('a search finds a run by its title and number. The list of runs finds it by the request, its place and its requester, too', () => {
  const place = { agent: 'ada-laptop', branch: 'main', repository: 'github.com/acme/shop' }
  const given = { title: 'Fix the login', number: 12, place, requestedBy: 'usr_1', codebaseId: 'cbs_1' }
  const documentOf = (spec: Json) => madeOf('run', { ...given, spec })
  const { list, ...searched } = documentOf({ prompt: `do it with ${mark}`, cli: 'claude' }) ?? {}
  assert.deepEqual(searched, { title: 'Fix the login', text: '#12' })
  assert.deepEqual(list, {
    text: `ada-laptop \nmain \ngithub.com/acme/shop \ndo it with ${mark}`,
    marks: { by: 'usr_1', codebase: 'cbs_1', cli: 'claude' },
  })
  const command = documentOf({ steps: [{ name: 'command', command: 'npm test' }] })
  assert.match(command?.list?.text ?? '', /npm test$/)
  assert.deepEqual(command?.list?.marks, { by: 'usr_1', codebase: 'cbs_1' })
  const long = documentOf({ prompt: 'x'.repeat(10_000) })
  assert.ok((long?.list?.text.length ?? 0) < 2_100, 'only the beginning of a long prompt')
})
