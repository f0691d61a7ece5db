/** A person by keyboard alone with presets, external servers and the audit, at a real server with a real other MCP server. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { assertFaultless, faults } from '../../kit/browser/faults.ts'
import { soon } from '../../kit/browser/soon.ts'
import { whereIs } from '../../kit/browser/visit.ts'
import { reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { modern } from '../../kit/program/mcp.ts'
import { beginRun, makePreset, mutate } from '../../kit/program/runs.ts'
import { startEverything } from '../../kit/program/servers/everything.ts'
import { startScripted, tool } from '../../kit/program/servers/scriptedServer.ts'

const [everything, scripted] = await Promise.all([startEverything('STREAMABLE_HTTP'), startScripted([tool('echo')])])
const { stage, person, page } = await atConsole({ OUTBOUND_ALLOW: '127.0.0.1' })
stage.onEnd(() => Promise.all([everything.stop(), scripted.stop()]))

interface Preset {
  readonly id: string
  readonly name: string
  readonly revision: number
  readonly tools: readonly { readonly name: string }[]
}

async function presetNamed(name: string): Promise<Preset> {
  const { mcpToolPresets } = await stage.ask<{ mcpToolPresets: readonly Preset[] }>(
    '{ mcpToolPresets { id name revision tools { name } } }',
  )
  const found = mcpToolPresets.find((preset) => preset.name === name)
  assert.ok(found, `there is no preset ${name}`)
  return found
}

const dialog = () => page.getByRole('dialog')
/** Waits until the element is removed. An element that is only hidden may still have to report that it closed. */
const closed = () => page.locator('dialog').waitFor({ state: 'detached' })
const card = (name: string) => page.locator('.cards > li').filter({ hasText: name })
const focused = () =>
  page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText')

/** Activates an element with the keyboard: it gets the focus, and then Enter. */
async function press(name: string, within: Pick<Page, 'getByRole'> = page): Promise<void> {
  const button = within.getByRole('button', { name, exact: true }).and(page.locator(':enabled'))
  await button.focus()
  await page.keyboard.press('Enter')
}

async function type(label: string, text: string): Promise<void> {
  await dialog().getByLabel(label).and(page.locator('input:not([type=checkbox]), textarea')).focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(text)
}

/** @returns the ID of the request */
async function call(name: string, args: object = {}, scope = ''): Promise<string> {
  const { status, headers, body } = await modern(
    stage,
    'tools/call',
    { name, arguments: args },
    { headers: { 'x-api-key': stage.key }, scope },
  )
  assert.ok(status < 500, JSON.stringify(body))
  return headers.get('x-request-id') ?? ''
}

const documentOf = (...presets: readonly object[]) =>
  JSON.stringify({ format: 'svc.mcp-presets.export', schemaVersion: 1, presets })

describe('presets', () => {
  let exported: string

  test('a preset is created by keyboard alone, and the focus returns to the button', async () => {
    await page.goto('/tools')
    await page.getByText('No presets yet').waitFor()
    await press('New preset')
    await dialog().waitFor()
    assert.equal(await page.evaluate('document.activeElement.name'), 'name')
    await page.keyboard.type('Look around')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    await page.keyboard.type('get_agents')
    await dialog().getByText('get_runs', { exact: true }).waitFor({ state: 'detached' })
    // It looks; it sends nothing.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await dialog().getByText('1 tool selected').waitFor()
    assert.deepEqual(await faults(page), [])
    await press('Create preset')
    await closed()
    await card('Look around').getByText('get_agents', { exact: true }).waitFor()
    await soon(async () => assert.equal(await focused(), 'New preset'))
    assert.match(await card('Look around').innerText(), /revision 1[\s\S]*1 built-in tool\n/)
    await soon(async () => assert.equal(await page.getByRole('heading', { name: 'Plan runs' }).count(), 1))
    person.fine()
  })

  test('one preset, the selected presets or all presets are exported as a file', async () => {
    await makePreset(stage, ['get_runs'])
    // It appears without a reload.
    await page.getByRole('button', { name: 'Export all 2' }).waitFor()
    for (const [button, filename, names] of [
      ['Export: Look around', 'mcp-preset-look-around.json', ['Look around']],
      ['Export all 2', 'mcp-presets.json', ['Look around', 'preset 1']],
    ] as const) {
      const [download] = await Promise.all([page.waitForEvent('download'), press(button)])
      assert.equal(download.suggestedFilename(), filename)
      const content = await readFile(await download.path(), 'utf8')
      assert.deepEqual(
        JSON.parse(content).presets.map(({ name }: { name: string }) => name),
        names,
      )
      exported ??= content
    }
    await page.getByLabel('Select preset 1').focus()
    await page.keyboard.press('Space')
    const [download] = await Promise.all([page.waitForEvent('download'), press('Export 1 selected')])
    assert.equal(download.suggestedFilename(), 'mcp-preset-preset-1.json')
  })

  test('a preset is changed, and the tools that were selected before keep their order', async () => {
    await press('Edit: Look around')
    await type('Search tools', 'list runs')
    await dialog().getByLabel('get_runs').focus()
    await page.keyboard.press('Space')
    // Choosing tools leaves what was typed elsewhere.
    await type('Name', 'Overview')
    await dialog().getByLabel('get_runs').press('Space')
    await dialog().getByLabel('get_runs').press('Space')
    await soon(async () => assert.equal(await dialog().getByLabel('Name').inputValue(), 'Overview'))
    await press('Save preset')
    await closed()
    await card('Overview').getByText('revision 2').waitFor()
    assert.deepEqual((await presetNamed('Overview')).tools, [{ name: 'get_agents' }, { name: 'get_runs' }])
  })

  test('an exported document is imported again after a preview, and replaces the preset with the same name', async () => {
    await press('Import')
    await type('Or paste the document', exported.replace('Look around', 'overview'))
    await press('Preview')
    const entry = dialog().locator('.review > li')
    await entry.getByText('document.presets[0].name').waitFor()
    await soon(async () =>
      assert.match(await entry.innerText(), /Replace that preset, enter another name, or skip this one/),
    )
    assert.equal(await dialog().getByRole('button', { name: 'Import' }).isEnabled(), false)
    assert.deepEqual(await faults(page), [])
    await dialog().getByLabel('Action').focus()
    await page.keyboard.press('ArrowDown')
    await entry.getByText('Will replace Overview, which keeps its ID.').waitFor()
    await soon(async () => assert.match(await entry.innerText(), /renames the preset “Overview”/))
    await press('Import', dialog())
    await dialog().getByText('0 presets created, 1 replaced, 0 skipped.').waitFor()
    await press('Close')
    await closed()
    await card('overview').getByText('revision 3').waitFor()
    await soon(async () => assert.equal(await focused(), 'Import'))
    assert.deepEqual((await presetNamed('overview')).tools, [{ name: 'get_agents' }])
    person.fine()
  })

  test('a preview shows unchanged and skipped presets, and an entry with another name creates another preset', async () => {
    const { tools } = JSON.parse(exported).presets[0]
    await press('Import')
    await type(
      'Or paste the document',
      documentOf(
        { name: 'overview', kind: 'PLAN', tools },
        { name: 'preset 1', kind: 'SESSION', tools },
        { name: 'third', kind: 'PLAN', tools },
      ),
    )
    await press('Preview')
    await press('Replace all 2 presets with the same name')
    const entries = dialog().locator('.review > li')
    await entries.nth(0).getByText('Unchanged: overview is equal already').waitFor()
    await entries.nth(1).getByText('Will replace preset 1').waitFor()
    await entries.nth(1).getByLabel('Action').press('End')
    await entries.nth(1).getByText('Will be skipped.').waitFor()
    await entries.nth(2).getByLabel('Name').fill('Third')
    await page.keyboard.press('Enter')
    await entries
      .nth(2)
      .getByText(/Will be created as Third\./)
      .waitFor()
    await press('Import', dialog())
    await dialog().getByText('1 preset created, 1 replaced, 1 skipped.').waitFor()
    await press('Close')
    await closed()
    await card('Third').waitFor()
  })

  test('a document that is refused has the field at fault and the reason', async () => {
    await press('Import')
    for (const [document, field, why] of [
      ['{', 'document', 'must be JSON.'],
      [documentOf({ name: 'x', kind: 'OTHER', tools: [] }), 'document.presets[0].kind', /must be/],
      [
        documentOf({ name: 'x', kind: 'PLAN', tools: [{ source: 'BUILTIN', name: 'no_such_tool' }] }),
        'document.presets[0].tools[0].name',
        'must name a built-in tool',
      ],
    ] as const) {
      await type('Or paste the document', document)
      await press('Preview')
      const problem = dialog().locator('.problem').filter({ hasText: why })
      await problem.waitFor()
      await soon(async () => assert.equal(await problem.locator('code').innerText(), field))
      await dialog().getByText('1 problem prevents the import.').waitFor()
      await soon(async () => assert.equal(await dialog().getByRole('button', { name: 'Import' }).isEnabled(), false))
      await press('Back')
    }
    await page.keyboard.press('Escape')
    await closed()
    person.fine()
  })

  test('an import with an outdated preview imports nothing, reports this, and succeeds after a new preview', async () => {
    await press('Import')
    const tools = [{ source: 'BUILTIN', name: 'get_health' }]
    await type('Or paste the document', documentOf({ name: 'Late', kind: 'PLAN', tools }))
    await press('Preview')
    await dialog().getByText('Will be created as Late.').waitFor()
    const input = { name: 'late', kind: 'PLAN', tools: [] }
    await mutate(stage.ask, 'createMcpToolPreset', input, 'preset { id }', 'McpToolPresetInput')
    await press('Import', dialog())
    await dialog().getByText('The preview is out of date, and nothing was imported.').waitFor()
    assert.deepEqual((await presetNamed('late')).tools, [])
    await soon(async () => assert.equal(await dialog().getByRole('button', { name: 'Import' }).isEnabled(), false))
    await press('Preview again')
    await dialog().getByText('document.presets[0].name').waitFor()
    await dialog().getByLabel('Action').selectOption({ label: 'Replace late' })
    await dialog().getByText('Will replace late').waitFor()
    await press('Import', dialog())
    await dialog().getByText('1 replaced').waitFor()
    await press('Close')
    await closed()
    assert.deepEqual((await presetNamed('Late')).tools, [{ name: 'get_health' }])
  })

  test('a preset that another user has changed meanwhile is neither overwritten nor deleted', async () => {
    const { id, revision } = await presetNamed('Third')
    const meanwhile = (name: string) =>
      mutate(stage.ask, 'updateMcpToolPreset', { presetId: id, name }, 'preset { id }')
    await press('Edit: Third')
    await type('Name', 'Mine')
    await meanwhile('Theirs')
    await card('Theirs')
      .getByText(`revision ${revision + 1}`)
      .waitFor()
    await press('Save preset')
    await dialog()
      .getByText(`The preset is at revision ${revision + 1}, not ${revision}.`)
      .waitFor()
    await press('Cancel')
    await closed()
    assert.equal((await presetNamed('Theirs')).revision, revision + 1)
    await press('Delete: Theirs')
    await meanwhile('Still theirs')
    await press('Delete preset', dialog())
    await dialog().getByText('The preset is at revision').waitFor()
    await press('Cancel')
    await closed()
    await press('Delete: Still theirs')
    await press('Delete preset', dialog())
    await card('Still theirs').waitFor({ state: 'detached' })
    await soon(async () => assert.equal(await focused(), 'New preset', 'the element with the focus is gone'))
  })

  test('a name that is taken is reported as such, and not as a concurrent change', async () => {
    await press('New preset')
    await type('Name', 'PRESET 1')
    await press('Create preset')
    await dialog().getByText('Choose another name.').waitFor()
    await soon(async () =>
      assert.equal(await dialog().getByText('The object changed while you were looking.').count(), 0),
    )
    await press('Cancel')
    await closed()
    person.fine()
  })

  test('the list is filtered, and the filter is in the address', async () => {
    await page.getByLabel('Name, tool or ID').fill('get_health')
    await card('preset 1').waitFor({ state: 'detached' })
    await soon(async () => assert.equal(await page.locator('.presets > li').count(), 1))
    assert.equal(whereIs(page), '/tools?q=get_health')
    await page.getByLabel('Name, tool or ID').fill('nothing like it')
    await page.getByText('No matches').waitFor()
  })
})

describe('external servers', () => {
  test('a server is added by keyboard alone, and its status and its tools appear by themselves', async () => {
    await page.goto('/tools')
    await page.getByRole('link', { name: 'External servers' }).focus()
    await page.keyboard.press('Enter')
    await soon(() => assert.equal(whereIs(page), '/tools/servers'))
    assert.equal(await page.getByRole('link', { name: 'External servers' }).getAttribute('aria-current'), 'page')
    await page.getByText('No external servers yet').waitFor()
    await press('Add server')
    await type('Name', 'Everything')
    await type('URL', everything.url.replace('http:', 'ftp:'))
    await press('Add server', dialog())
    await dialog().getByText('The value must be an http or https URL').waitFor()
    assert.deepEqual(await faults(page), [])
    await type('URL', everything.url)
    await page.keyboard.press('Enter')
    await closed()
    await soon(async () => assert.equal(await focused(), 'Add server'))
    await card('Everything').getByText('Reachable', { exact: true }).waitFor()
    await card('Everything')
      .getByText(/\d+ tools, listed/)
      .waitFor()
    await press('Show tools: Everything')
    const echo = card('Everything').locator('.listing li').filter({ hasText: 'echo' }).first()
    await echo.getByText(/^svc_ext_\w+_echo$/).waitFor()
    assert.deepEqual(await faults(page), [])
    await press('Hide tools: Everything')
    person.fine()
  })

  test('headers are set and removed, and their values are never shown', async () => {
    await press('Headers: Everything')
    await type('Name', 'Host')
    await type('Value', 'elsewhere')
    await press('Save headers')
    await dialog().getByRole('alert').getByText('must not be a header that the client itself sets').waitFor()
    await type('Name', 'Authorization')
    await type('Value', 'Bearer hidden-words')
    await soon(async () => assert.equal(await dialog().getByLabel('Value').getAttribute('type'), 'password'))
    await press('Save headers')
    await card('Everything').getByText('headers: authorization').waitFor()
    assert.ok(!(await page.content()).includes('hidden-words'))
    await press('Headers: Everything')
    assert.ok(!(await page.content()).includes('hidden-words'))
    await dialog().getByLabel('authorization').focus()
    await page.keyboard.press('Space')
    await press('Save headers')
    await card('Everything').getByText('no headers').waitFor()
  })

  test('an edit changes only the edited fields of a server', async () => {
    await press('Edit: Everything')
    await type('Name', 'All of it')
    const meanwhile = await serverId()
    await mutate(stage.ask, 'updateMcpServer', { serverId: meanwhile, catalogPrefix: 'All' }, 'mcpServer { id }')
    await press('Save server')
    await card('All of it').getByText('title prefix All').waitFor()
  })

  test('a call of an AI client appears in the audit by itself, and a disabled server is not called', async () => {
    const id = await serverId()
    const presetId = await makePreset(stage, ['get_health', { serverId: id, name: 'echo' }])
    const { body } = await modern(
      stage,
      'tools/list',
      {},
      { headers: { 'x-api-key': stage.key }, scope: `?preset=${presetId}` },
    )
    const alias = body?.result.tools.find(({ name }: { name: string }) => name.startsWith('svc_ext_')).name
    await page.goto('/tools/audit')
    await page.getByText('No calls yet').waitFor()
    const requestId = await call(alias, { message: 'hi' }, `?preset=${presetId}`)
    const row = page.getByRole('listitem').filter({ hasText: requestId })
    await row.getByText('Succeeded').waitFor()
    // Names come after the call itself.
    for (const name of ['All of it', 'script']) await row.getByRole('link', { name }).waitFor()
    await soon(async () => assert.match(await row.innerText(), /echo of All of it[\s\S]*script with preset preset 2/))
    assert.equal(await row.getByRole('link', { name: 'preset 2' }).getAttribute('href'), `/tools?q=${presetId}`)

    await page.goto('/tools/servers')
    await press('Disable: All of it')
    await soon(async () => assert.match(await dialog().innerText(), /cannot be listed or called until it is enabled/))
    await press('Disable server', dialog())
    await card('All of it').getByText('Disabled', { exact: true }).waitFor()
    const refused = await call(alias, { message: 'hi' }, `?preset=${presetId}`)
    await page.goto(`/tools?q=${presetId}`)
    await card('preset 2').getByText('Some tools could not be checked: All of it is disabled.').waitFor()
    await page.goto('/tools/audit?outcome=failed')
    await page.getByRole('listitem').filter({ hasText: refused }).getByText('error').waitFor()
    await soon(async () => assert.equal(await page.getByRole('listitem').filter({ hasText: requestId }).count(), 0))
    await page.goto('/tools/servers')
    await press('Enable: All of it')
    await press('Enable server', dialog())
    await card('All of it').getByText('Disabled', { exact: true }).waitFor({ state: 'detached' })
    person.fine()
  })

  test('the page shows by itself that a server is unreachable, the problem, and that calls pause', async () => {
    await everything.stop()
    await page.goto('/tools/servers')
    await card('All of it').getByText('Reachable', { exact: true }).waitFor()
    await press('Check now: All of it')
    await card('All of it').getByText('degraded').waitFor()
    await card('All of it')
      .getByText(/can.t be reached/)
      .waitFor()
    // The attempts of other users appear too.
    for (let times = 0; times < 4; times++)
      await mutate(stage.ask, 'refreshMcpServer', { serverId: await serverId() }, 'mcpServer { id }')
    await card('All of it').getByText('Unreachable', { exact: true }).waitFor()
    await card('All of it').getByText('The pause ends').waitFor()
    assert.deepEqual(await faults(page), [])
    person.fine()
  })

  test('a selected tool whose server was deleted, or no longer has it, is reported as missing and can be removed', async () => {
    const made = await mutate<{ mcpServer: { id: string } }>(
      stage.ask,
      'createMcpServer',
      { name: 'Small', url: scripted.url },
      'mcpServer { id }',
    )
    await makePreset(stage, ['get_runs', { serverId: made.mcpServer.id, name: 'echo' }])
    await press('Delete: All of it')
    await press('Delete server', dialog())
    await card('All of it').waitFor({ state: 'detached' })
    await soon(async () => assert.equal(await focused(), 'Add server', 'the element with the focus is gone'))
    scripted.tools = [tool('other')]
    await press('Check now: Small')
    await card('Small').getByText('1 tool, listed').waitFor()
    await page.goto('/tools')
    await card('preset 2').getByText('echo is missing: its server was removed.').waitFor()
    await card('preset 3').getByText('echo is missing: Small no longer has it.').waitFor()

    await press('Edit: preset 3')
    await dialog().getByLabel('get_health').focus()
    await page.keyboard.press('Space')
    await press('Save preset')
    await dialog().getByText('tools[1].name must name a tool of the server').waitFor()
    await press('Remove 1 missing tool')
    await press('Save preset')
    await closed()
    await card('preset 3').getByText('is missing').waitFor({ state: 'detached' })
    assert.deepEqual((await presetNamed('preset 3')).tools, [{ name: 'get_runs' }, { name: 'get_health' }])
    person.fine()
  })

  test('the user maps a server of a document from elsewhere to a server of this installation', async () => {
    await press('Import')
    const tools = [{ source: 'EXTERNAL', serverKey: 'theirs', name: 'other' }]
    await type('Or paste the document', documentOf({ name: 'From elsewhere', kind: 'PLAN', tools }))
    await press('Preview')
    await dialog().getByText('Select the server. An import creates no servers.').waitFor()
    await soon(async () => assert.match(await dialog().innerText(), /0 of 1 tools are available\./))
    await dialog().getByLabel('Server theirs').focus()
    await page.keyboard.press('ArrowDown')
    await dialog().getByText('1 of 1 tools are available.').waitFor()
    assert.deepEqual(await faults(page), [])
    await press('Import', dialog())
    await dialog().getByText('1 preset created').waitFor()
    await press('Close')
    await closed()
    await card('From elsewhere').getByText('other of Small').waitFor()
  })

  async function serverId(): Promise<string> {
    const { mcpServers } = await stage.ask<{ mcpServers: { nodes: { id: string }[] } }>(
      '{ mcpServers { nodes { id } } }',
    )
    return mcpServers.nodes.at(-1)?.id ?? ''
  }
})

describe('the audit', () => {
  test('only visible calls are in the document, and older ones are read when the user scrolls there', async () => {
    for (let batch = 0; batch < 12; batch++) await Promise.all(Array.from({ length: 10 }, () => call('get_health')))
    await page.goto('/tools/audit')
    await page.getByText('100 calls loaded. Scroll to load more.').waitFor()
    await soon(async () => assert.ok((await page.locator('.call-row').count()) < 60))
    const list = page.getByRole('region', { name: 'Tool calls' })
    await list.focus()
    await page.keyboard.press('End')
    await page.getByText(/^12\d calls$/).waitFor()
    const before = Number(/^\d+/.exec(await page.locator('.note').innerText()))
    await page.keyboard.press('Home')
    await page.locator('[aria-posinset="1"]').waitFor()
    await page.locator(`[aria-posinset="${before}"]`).waitFor({ state: 'detached' })
    // New rows are inserted before them. All rows that were read stay, because the list is not near its end and reads no page again.
    await call('get_agents')
    await page.getByText(`${before + 1} calls`).waitFor()
    await page.locator('.virtual-row').first().getByText('get_agents').waitFor()
    assert.deepEqual(await faults(page), [])
    person.fine()
  })

  test('a call of a run has a link to the run, and the name of its agent', async () => {
    const agent = await startBareAgent(stage, 'bare')
    const worktrees = await reportWorktree(stage, agent, '/srv/bare', ['main'])
    const { runId, token } = await beginRun(stage, agent, worktrees.main, [await makePreset(stage, ['get_health'])])
    const scope = `?run=${runId}`
    await modern(stage, 'tools/call', { name: 'get_health', arguments: {} }, { headers: token, scope })
    await page.goto(`/tools/audit?scope=${runId}`)
    await page.getByText('1 call', { exact: true }).waitFor()
    await page.locator('.call-row').getByText('bare', { exact: true }).waitFor()
    const { run } = await stage.ask<{ run: { title: string } }>('query ($id: ID!) { run(id: $id) { title } }', {
      id: runId,
    })
    await soon(async () =>
      assert.equal(
        await page.locator('.call-row').getByRole('link', { name: run.title }).getAttribute('href'),
        `/runs/${runId}`,
      ),
    )
    person.fine()
  })

  test('the filters of the audit are in the address, and the tool of a call links to the filtered audit', async () => {
    const requestId = await call('get_agent')
    await page.goto(`/tools/audit?request=${requestId}`)
    const row = page.locator('.call-row')
    await row.getByText('BAD_USER_INPUT').waitFor()
    await soon(async () => assert.equal(await row.count(), 1))
    assert.equal(await page.getByLabel('Request ID').inputValue(), requestId)
    await row.getByRole('link', { name: 'get_agent' }).focus()
    await page.keyboard.press('Enter')
    await soon(() => assert.equal(whereIs(page), '/tools/audit?tool=get_agent'))
    await page.getByText('1 call', { exact: true }).waitFor()
    await page.getByLabel('Outcome').selectOption('SUCCESS')
    await page.getByText('No matches').waitFor()
    await soon(() => assert.equal(whereIs(page), '/tools/audit?tool=get_agent&outcome=SUCCESS'))
    await page.getByText('More filters').click()
    await page.getByLabel('Until').fill('2020-01-01T00:00')
    await page.waitForURL('**&to=*')
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await page.getByText('Scroll to load more').waitFor()
    person.fine()
  })
})

test('a refused request and an unknown section are reported', async () => {
  const refused = { errors: [{ message: 'Not you.', extensions: { code: 'FORBIDDEN', requestId: 'r-1' } }] }
  await page.route('**/api/graphql', (route) =>
    /mcpToolPresets \{|mcpServers\(|mcpToolCalls\(/.test(route.request().postData() ?? '')
      ? route.fulfill({ json: refused })
      : route.continue(),
  )
  for (const path of ['/tools', '/tools/servers', '/tools/audit']) {
    await page.goto(path)
    await page.getByRole('alert').getByText('Not you.').first().waitFor()
    await page.getByText('Contact the administrator of this server. Request ID: r-1.').first().waitFor()
    await soon(async () => assert.equal(await page.locator('.loading').count(), 0, path))
    assert.equal(await page.locator('.empty').count(), 0, `${path}: a refused list is not shown as empty`)
  }
  await page.unroute('**/api/graphql')
  await page.goto('/tools/nothing')
  await page.getByText('There is no section nothing in the tools.').waitFor()
  person.fine()
})

describe('every section', () => {
  const sections = [
    ['/tools', 'preset 3', ['New preset', 'Import', 'Delete: preset 3']],
    ['/tools/servers', 'Small', ['Add server', 'Headers: Small', 'Disable: Small']],
    ['/tools/audit', 'get_agents', []],
  ] as const
  test('no section or dialog has a fault of axe or of the content security policy, or scrolls sideways on a narrow screen', async () => {
    for (const [path, says, dialogs] of sections) {
      await page.goto(path)
      await page.getByText(says).first().waitFor()
      await assertFaultless(page, path)
      for (const name of dialogs) {
        await page.getByRole('button', { name, exact: true }).click()
        await dialog().waitFor()
        await assertFaultless(page, `${path}, ${name}`)
        await page.keyboard.press('Escape')
        await closed()
      }
    }
    person.fine()
  })
})
