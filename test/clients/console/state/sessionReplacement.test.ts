/** While the session is being replaced, every request of the console waits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { getAuth, postAuthReplacingSession } from '../../../../clients/console/app/accounts/authApi.ts'
import { graphql } from '../../../../clients/console/app/data/graphql.ts'
import { requestGraphql } from '../../../../clients/console/app/data/request.ts'
import { requestRest, transferFile } from '../../../../clients/console/app/data/requestRest.ts'

test('requests wait for the new session, also those of files, and the request that replaces it does not', async (t) => {
  const sent: string[] = []
  const replacement = Promise.withResolvers<void>()
  t.mock.method(globalThis, 'fetch', async (path: string) => {
    sent.push(path)
    if (path.endsWith('/change-password')) await replacement.promise
    return Response.json({ data: {} })
  })
  const replacing = postAuthReplacingSession('change-password', { currentPassword: 'old', newPassword: 'new' })
  const others = Promise.all([
    getAuth('list-sessions'),
    requestRest('/rest', {}),
    transferFile('/file', {}, 'DISCONNECTED'),
    requestGraphql(graphql('{ viewer { id } }'), {}),
  ])
  await setImmediate()
  assert.deepEqual(sent, ['/api/auth/change-password'])
  replacement.resolve()
  await replacing
  await others
  assert.deepEqual(sent.slice(1).sort(), ['/api/auth/list-sessions', '/api/graphql', '/file', '/rest'])
})
