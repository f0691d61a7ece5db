/**
 * A person installs an app on the phone: a stock reader reads the QR code of the dialog, and its page has the button. The button of an iOS
 * app is followed as iOS does it: https://support.apple.com/guide/deployment/depce7cefc4d/web
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { before, test } from 'node:test'
import { devices } from 'playwright-core'
import { build as plist } from 'plist'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { type Machine, startMachine } from '../../../kit/program/machine.ts'
import { createConfiguration, startBuild, untilBuild, withRemote } from '../../../kit/program/objects/builds.ts'
import { mutate } from '../../../kit/program/runs.ts'
import { localhostTls } from '../../../kit/program/servers/localhostTls.ts'
import { startNginx } from '../../../kit/program/servers/nginx.ts'

const { stage, person, page } = await atConsole()
let machine: Machine
let repositoryId = ''
let buildId = ''

before(async () => {
  machine = await startMachine(stage, { hasTestClis: false })
  ;({ repositoryId } = await withRemote(stage, machine))
  const buildConfigurationId = await createConfiguration(stage.ask, {
    ...{ repositoryId, name: 'nightly', artifacts: ['*.apk'] },
    steps: [{ name: 'make', command: 'echo an app > shop.apk' }],
  })
  buildId = (await startBuild(stage.ask, { buildConfigurationId, worktreeId: machine.worktree('main') })).id
  await untilBuild(stage.ask, buildId, ['SUCCEEDED'])
})

/** The text of a QR code, as zbar reads it from a picture. */
function readQrCode(picture: Buffer): string {
  const { stdout, status, error } = spawnSync('zbarimg', ['--nodbus', '--quiet', '--raw', '-'], { input: picture })
  if (error !== undefined) throw new Error('Debian’s zbar-tools are needed', { cause: error })
  assert.equal(status, 0, 'zbarimg finds one code')
  return stdout.toString().trim()
}

/** Bytes that a stock program may write. */
const maxBuffer = 16 * 1024 ** 2

let address = ''

for (const theme of ['light', 'dark'] as const)
  test(`the QR code of the dialog contains its link, in the ${theme} theme`, async () => {
    await page.emulateMedia({ colorScheme: theme })
    await page.goto(`/builds/${buildId}`)
    await page.getByRole('button', { name: 'Install: shop.apk' }).click()
    const code = page.getByRole('img', { name: 'Install: shop.apk' })
    await code.waitFor()
    await assertFaultless(page)
    address = readQrCode(await code.screenshot())
    const link = page.getByRole('dialog').getByRole('link', { name: 'Install' })
    assert.equal(address, await link.getAttribute('href'))
    person.fine()
  })

test('the page of the QR code has the app, its build and the install button, without signing in', async () => {
  const context = await page
    .context()
    .browser()
    ?.newContext({ viewport: { width: 390, height: 844 } })
  assert.ok(context)
  try {
    const phone = await context.newPage()
    await phone.goto(address)
    await phone.getByRole('heading', { name: 'shop.apk' }).waitFor()
    await phone.getByText('nightly #1').waitFor()
    const arrived = phone.waitForEvent('download')
    await phone.getByRole('link', { name: 'Install' }).click()
    assert.equal((await arrived).suggestedFilename(), 'shop.apk')
    await phone.goto(`${address}x`)
    await phone.getByText('This link is not valid, or it has expired').waitFor()
  } finally {
    await context.close()
  }
})

test('iOS installs an app by https behind nginx: the page, the manifest and the file are reached without signing in', async () => {
  const tls = localhostTls()
  const nginx = await startNginx(stage.ports.main, undefined, tls)
  stage.onEnd(async () => {
    await nginx.stop()
    tls.remove()
  })
  const origin = nginx.secureUrl ?? ''
  const settings = { remoteUrlOverride: origin, defaultKind: 'REMOTE' }
  await mutate(stage.ask, 'saveServerUrlSettings', settings, 'serverUrlSettings { revision }')
  const info = {
    CFBundleIdentifier: 'com.example.shop',
    CFBundleShortVersionString: '2.1.0',
    CFBundleName: 'Shop & Co',
  }
  const make = [
    'mkdir -p Payload/Shop.app && head -c 3000000 /dev/urandom > Payload/Shop.app/Shop',
    `cat > Payload/Shop.app/Info.plist <<'END'\n${plist(info)}\nEND`,
    'git add Payload && git archive --format=zip -o Shop.ipa $(git write-tree) Payload',
  ]
  const buildConfigurationId = await createConfiguration(stage.ask, {
    ...{ repositoryId, name: 'ios', artifacts: ['*.ipa'] },
    steps: [{ name: 'make', command: make.join('\n') }],
  })
  const { id } = await startBuild(stage.ask, { buildConfigurationId, worktreeId: machine.worktree('main') })
  await untilBuild(stage.ask, id, ['SUCCEEDED'])

  await page.goto(`/builds/${id}`)
  await page.getByRole('button', { name: 'Install: Shop.ipa' }).click()
  const code = page.getByRole('img', { name: 'Install: Shop & Co' })
  await code.waitFor()
  const pageUrl = readQrCode(await code.screenshot())
  assert.ok(pageUrl.startsWith(`${origin}/`), pageUrl)

  // The browser of a phone trusts the authority. Chromium does not here, and curl checks the certificate below.
  const context = await page
    .context()
    .browser()
    ?.newContext({ ...devices['iPhone 15'], ignoreHTTPSErrors: true })
  assert.ok(context)
  let button: string | null
  try {
    const phone = await context.newPage()
    await phone.goto(pageUrl)
    await phone.getByRole('heading', { name: 'Shop & Co' }).waitFor()
    await phone.getByText('Version 2.1.0').waitFor()
    await assertFaultless(phone)
    button = await phone.getByRole('link', { name: 'Install' }).getAttribute('href')
  } finally {
    await context.close()
  }

  const { protocol, searchParams } = new URL(button ?? '')
  assert.deepEqual([protocol, searchParams.get('action')], ['itms-services:', 'download-manifest'])
  const secure = ['--proto', '=https', '--cacert', tls.authority]
  const curl = (...args: readonly string[]) =>
    execFileSync('curl', ['--silent', '--show-error', '--fail', ...secure, ...args], { maxBuffer })
  const python = (script: string, input: Buffer): unknown =>
    JSON.parse(execFileSync('python3', ['-c', script], { input, maxBuffer }).toString())
  const manifestUrl = searchParams.get('url') ?? ''
  const manifest = python(
    'import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))',
    curl(manifestUrl),
  ) as { readonly items: readonly [{ readonly assets: readonly [{ readonly url: string }] }] }
  const [{ url }] = manifest.items[0].assets
  assert.deepEqual(manifest, {
    items: [
      {
        assets: [{ kind: 'software-package', url }],
        metadata: {
          'bundle-identifier': 'com.example.shop',
          'bundle-version': '2.1.0',
          kind: 'software',
          title: 'Shop & Co',
        },
      },
    ],
  })
  const file = curl(url)
  const { build } = await stage.ask<{ build: { artifacts: { nodes: { sha256: string; size: number }[] } } }>(
    'query ($id: ID!) { build(id: $id) { artifacts(first: 1) { nodes { sha256 size } } } }',
    { id },
  )
  const [artifact] = build.artifacts.nodes
  assert.equal(createHash('sha256').update(file).digest('hex'), artifact?.sha256)
  assert.equal(curl('--range', '1000000-', url).length, (artifact?.size ?? 0) - 1_000_000, 'a download continues')
  const app = python(
    `import io, json, plistlib, sys, zipfile
archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
print(json.dumps([archive.testzip(), plistlib.loads(archive.read('Payload/Shop.app/Info.plist'))]))`,
    file,
  )
  assert.deepEqual(app, [null, info])
  person.fine()
})
