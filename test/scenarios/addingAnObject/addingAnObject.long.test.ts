/** A new domain object needs one new folder in each room and at most five edited files. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { firstKey, graphql } from '../../kit/program/graphql.ts'
import { modern } from '../../kit/program/mcp.ts'
import { freePorts } from '../../kit/program/ports.ts'
import { startProgram } from '../../kit/program/program.ts'
import { addNote, copyProgram, edits } from './addNote.ts'

const run = promisify(execFile)

test('an object needs at most five edited files', () => {
  assert.ok(Object.keys(edits).length <= 5, Object.keys(edits).join(', '))
})

async function copyWithNote(t: TestContext): Promise<string> {
  const root = await copyProgram()
  t.after(() => rm(root, { recursive: true, force: true, maxRetries: 5 }))
  await addNote(root)
  for (const script of ['gateway/graphql/schema/printSchema.ts', 'gateway/rest/printOpenApi.ts'])
    await run(process.execPath, ['--no-warnings', join(root, script)], { cwd: root })
  return root
}

/** @throws with the errors of the compiler */
async function checkTypes(root: string, folder: string): Promise<void> {
  const compiler = join(root, 'node_modules/.bin/tsc')
  await run(process.execPath, [compiler, '--noEmit', '--checkers', '1', '-p', join(root, folder)], { cwd: root }).catch(
    ({ stdout }: { readonly stdout: string }) => assert.fail(stdout),
  )
}

test('an added object compiles, and users, tools, the search and the console have it', {
  timeout: 240_000,
}, async (t) => {
  const root = await copyWithNote(t)
  await Promise.all([checkTypes(root, '.'), checkTypes(root, 'clients/console/app')])

  const { buildAssets } = (await import(
    pathToFileURL(join(root, 'clients/console/assets.ts')).href
  )) as typeof import('../../../clients/console/assets.ts')
  const { assets } = await buildAssets()
  const scripts = [...assets.values()].map(({ bytes }) => Buffer.from(bytes).toString())
  assert.ok(
    scripts.some((script) => script.includes('notes(first: 50') && script.includes('No notes yet')),
    "the console's bundle has the list",
  )

  const program = await startProgram({ dataDir: join(root, '.data'), ports: await freePorts(), root })
  t.after(() => program.stop())
  const credential = { 'X-API-Key': await firstKey(program.url) }
  const ask = <T>(query: string, variables?: Readonly<Record<string, unknown>>) =>
    graphql<T>(program.url, credential, query, variables)

  const { createNote } = await ask<{ createNote: { note: { id: string; name: string } } }>(
    'mutation { createNote(input: { name: "Milk", idempotencyKey: "k" }) { note { id name status } } }',
  )
  const { id } = createNote.note
  assert.deepEqual(createNote.note, { id, name: 'Milk', status: 'OPEN' })
  assert.match(id, /^nte_/)

  const renamed = await ask<{ renameNote: unknown }>(
    'mutation ($noteId: ID!) { renameNote(input: { noteId: $noteId, name: "Oat milk" }) { note { name } } }',
    { noteId: id },
  )
  assert.deepEqual(renamed.renameNote, { note: { name: 'Oat milk' } })
  const read = 'query ($id: ID!) { note(id: $id) { name status } notes(first: 10) { totalCount nodes { id } } }'
  assert.deepEqual(await ask(read, { id }), {
    note: { name: 'Oat milk', status: 'OPEN' },
    notes: { totalCount: 1, nodes: [{ id }] },
  })

  const search = '{ globalSearch(text: "oat", kinds: [NOTE]) { hits { kind id title } } }'
  assert.deepEqual(await ask(search), { globalSearch: { hits: [{ kind: 'NOTE', id, title: 'Oat milk' }] } })

  const listed = await modern(program, 'tools/list', {}, { headers: credential })
  const tools: readonly { readonly name: string }[] = listed.body?.result?.tools ?? []
  const names = tools.map(({ name }) => name)
  assert.deepEqual(names.filter((name) => /_notes?$/.test(name)).sort(), [
    'create_note',
    'delete_note',
    'get_note',
    'get_notes',
    'rename_note',
  ])
  const called = await modern(
    program,
    'tools/call',
    { name: 'delete_note', arguments: { noteId: id } },
    { headers: credential },
  )
  assert.notEqual(called.body?.result.isError, true, JSON.stringify(called.body))

  assert.deepEqual(await ask(read, { id }), {
    note: { name: 'Oat milk', status: 'DELETED' },
    notes: { totalCount: 0, nodes: [] },
  })
  assert.deepEqual(await ask(search), { globalSearch: { hits: [] } })
})
