/** Images of the operating system want no dSYM. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSystemImage } from '../../../../gateway/operations/apps/systemImages.ts'

const arm64 = (own: object) => isSystemImage({ arch: 'arm64', ...own })

test('the path decides whether an image belongs to the system', () => {
  for (const path of [
    '/System/Library/Frameworks/UIKit.framework/UIKit',
    '/usr/lib/dyld',
    '/private/preboot/Cryptexes/OS/System/Library/Frameworks/WebKit.framework/WebKit',
    '/Library/Developer/CoreSimulator/Volumes/iOS_22F76/Library/Developer/CoreSimulator/Profiles/Runtimes/iOS 18.5.simruntime/Contents/Resources/RuntimeRoot/usr/lib/libobjc.A.dylib',
  ])
    assert.equal(arm64({ path }), true, path)
  for (const path of [
    '/private/var/containers/Bundle/Application/X/Shop.app/Shop',
    '/Applications/Shop.app/Contents/Frameworks/System/Library/Pay.framework/Pay',
    '/usr/local/lib/libpay.dylib',
  ])
    assert.equal(arm64({ path }), false, path)
})

test('without a path, an image in the shared memory of all programs belongs to the system', () => {
  assert.equal(arm64({ loadAddress: '0x1a13b8000' }), true)
  assert.equal(arm64({ loadAddress: '0x104d20000' }), false)
  assert.equal(arm64({ loadAddress: '0x104d20000', path: '/usr/lib/dyld' }), true, 'the path comes first')
  assert.equal(isSystemImage({ arch: 'x86_64', loadAddress: '0x7ff81a3b8000' }), true)
  assert.equal(isSystemImage({ arch: 'x86_64', loadAddress: '0x104d20000' }), false)
  assert.equal(isSystemImage({ arch: 'armv7', loadAddress: '0x1a13b8000' }), false, 'the region of others is not known')
  assert.equal(arm64({}), false)
})
