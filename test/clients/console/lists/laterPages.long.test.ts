/** A list of many pages while the server cannot answer. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { modern } from '../../../kit/program/mcp.ts'

const calls = 120

const { stage, person, page } = await atConsole()

before(async () => {
  for (let batch = 0; batch < calls / 10; batch++)
    await Promise.all(
      Array.from({ length: 10 }, () =>
        modern(stage, 'tools/call', { name: 'get_health', arguments: {} }, { headers: { 'x-api-key': stage.key } }),
      ),
    )
})

test('a page that the server could not answer is read again without the user', async () => {
  const unavailable = {
    errors: [{ message: 'Not now.', extensions: { code: 'UNAVAILABLE', retryable: true, requestId: 'r-1' } }],
  }
  let refused = 0
  await page.route('**/api/graphql', (route) => {
    const isNextPage =
      /mcpToolCalls\(/.test(route.request().postData() ?? '') && !/"after":null/.test(route.request().postData() ?? '')
    if (!isNextPage || refused === 2) return route.continue()
    refused++
    return route.fulfill({ json: unavailable })
  })
  await page.goto('/tools/audit')
  await page.getByText('100 calls loaded. Scroll to load more.').waitFor()
  await page.getByRole('region', { name: 'Tool calls' }).focus()
  await page.keyboard.press('End')
  await page.getByRole('alert').getByText('Not now.').waitFor()
  await page.getByText(`${calls} calls`, { exact: true }).waitFor()
  assert.equal(refused, 2)
  await soon(async () => assert.equal(await page.getByRole('alert').count(), 0))
  await page.unroute('**/api/graphql')
  person.fine()
})
