/** Saved views: each user has their own, and no other user sees or changes them. */
import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
let ada: Record<string, string>
let bob: Record<string, string>
let adasKey: Record<string, string>

before(async () => {
  world = await startTestGateway({ options: { operations, objectTypes } })
  const signedIn = await world.signIn()
  ada = { authorization: `Bearer ${signedIn.token}` }
  bob = { authorization: `Bearer ${(await world.signIn()).token}` }
  adasKey = { 'x-api-key': (await world.apiKey(signedIn.userId)).token }
})
after(() => world.stop())

interface Saved {
  readonly id: string
  readonly name: string
  readonly revision: number
}

const fields = 'id name page query columns revision'
const view = { name: 'Failed today', page: 'RUNS', query: 'status=FAILED&days=1', columns: ['title', 'duration'] }

async function change(name: string, input: Record<string, unknown>, who = ada) {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { savedView { ${fields} } } }`
  const { body } = await world.graphql(query, { input }, who)
  const [error] = body.errors ?? []
  const saved = (body.data as Record<string, { savedView: Saved } | null> | undefined)?.[name]?.savedView
  return { saved: saved as Saved, code: error?.extensions.code, message: error?.message ?? '' }
}

async function list(who = ada, page?: string): Promise<readonly Saved[]> {
  const query = `query ($page: SavedViewPage) { savedViews(page: $page) { totalCount nodes { ${fields} } } }`
  const { body } = await world.graphql(query, { page: page ?? null }, who)
  return (body.data as unknown as { savedViews: { nodes: Saved[] } }).savedViews.nodes
}

test('a view is saved, listed for its page, renamed, changed and deleted, with a session or a key of its user', async () => {
  const { saved } = await change('createSavedView', view)
  deepEqual(saved, { ...view, id: saved.id, revision: 1 } as unknown)
  deepEqual([await list(), await list(adasKey), await list(ada, 'RUNS')], [[saved], [saved], [saved]])
  deepEqual(await list(ada, 'PLANS'), [])
  const renamed = await change('updateSavedView', { viewId: saved.id, name: 'Failed', expectedRevision: 1 }, adasKey)
  deepEqual(renamed.saved, { ...saved, name: 'Failed', revision: 2 })
  equal((await change('updateSavedView', { viewId: saved.id, query: '', expectedRevision: 1 })).code, 'CONFLICT')
  const emptied = await change('updateSavedView', { viewId: saved.id, query: '', columns: [] })
  deepEqual(emptied.saved, { ...saved, name: 'Failed', query: '', columns: [], revision: 3 } as unknown)
  equal((await change('deleteSavedView', { viewId: saved.id, expectedRevision: 1 })).code, 'CONFLICT')
  await change('deleteSavedView', { viewId: saved.id })
  deepEqual(await list(), [])
  equal((await change('updateSavedView', { viewId: saved.id, name: 'x' })).code, 'FAILED_PRECONDITION')
})

test('other users cannot see, change or delete a view', async () => {
  const { saved } = await change('createSavedView', { ...view, name: 'Private' })
  deepEqual(await list(bob), [])
  equal((await change('updateSavedView', { viewId: saved.id, name: 'Mine' }, bob)).code, 'NOT_FOUND')
  equal((await change('deleteSavedView', { viewId: saved.id }, bob)).code, 'NOT_FOUND')
  const { body } = await world.graphql('query ($id: ID!) { actor(id: $id) { init context } }', { id: saved.id }, bob)
  equal(body.errors, undefined)
  for (const secret of ['Private', 'FAILED', 'duration']) equal(JSON.stringify(body.data).includes(secret), false)
  equal((await list()).length, 1)
})

test('a name is unique for a user and a page, whatever its case', async () => {
  const { saved } = await change('createSavedView', { ...view, name: 'Slow' })
  equal((await change('createSavedView', { ...view, name: 'SLOW' })).code, 'CONFLICT')
  equal((await change('createSavedView', { ...view, name: 'slow', page: 'PLANS' })).code, undefined)
  equal((await change('createSavedView', { ...view, name: 'Slow' }, bob)).code, undefined)
  equal((await change('updateSavedView', { viewId: saved.id, name: 'slow' })).code, undefined, 'its own')
})

test('two requests with the same idempotency key save one view', async () => {
  const input = { ...view, name: 'Once', idempotencyKey: 'once' }
  const [first, again] = [await change('createSavedView', input), await change('createSavedView', input)]
  equal(first.saved.id, again.saved.id)
})

test('a wrong query, page or column is refused, and the error names the field', async () => {
  for (const [field, wrong] of Object.entries({
    query: '?status=FAILED',
    columns: ['title', 'title'],
    name: '',
  })) {
    const { code, message } = await change('createSavedView', { ...view, name: 'Wrong', [field]: wrong })
    equal(code, 'BAD_USER_INPUT')
    match(message, new RegExp(field))
  }
  equal((await change('createSavedView', { ...view, name: 'W', columns: ['a b'] })).code, 'BAD_USER_INPUT')
})

test('a user can save at most 100 views, and the error shows what to do', async () => {
  const count = (await list(bob)).length
  for (let number = count; number < 100; number++)
    equal((await change('createSavedView', { ...view, name: `view ${number}` }, bob)).code, undefined)
  const { code, message } = await change('createSavedView', { ...view, name: 'one more' }, bob)
  equal(code, 'FAILED_PRECONDITION')
  match(message, /at most 100. Delete one first/)
})
