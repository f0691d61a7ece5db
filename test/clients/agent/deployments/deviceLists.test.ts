/**
 * The lists of devices are read from the output of adb, simctl and devicectl. No machine here has such devices: the texts follow the published
 * output of these programs.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAdbDevices, parseIosDevices, parseSimulators } from '../../../../clients/agent/deployments/deviceLists.ts'

test('adb: usable devices have their model, and the others have the reason why they cannot be used', () => {
  const output = [
    '* daemon not running; starting now at tcp:5037',
    '* daemon started successfully',
    'List of devices attached',
    'emulator-5554          device product:sdk_gphone64_x86_64 model:sdk_gphone64_x86_64 device:emu64xa transport_id:1',
    '0A041FDD4000AR         device usb:1-1 product:oriole model:Pixel_6 device:oriole transport_id:2',
    '99171FFAZ00ABC         unauthorized usb:1-2 transport_id:3',
    '192.168.1.20:5555      offline transport_id:4',
    'R58M1234567            no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html] usb:1-3 transport_id:5',
    '',
  ].join('\n')
  assert.deepEqual(
    parseAdbDevices(output).map(({ id, name, problem }) => [id, name, problem]),
    [
      ['emulator-5554', 'sdk gphone64 x86 64', null],
      ['0A041FDD4000AR', 'Pixel 6', null],
      [
        '99171FFAZ00ABC',
        '99171FFAZ00ABC',
        'The device has not allowed this machine. Unlock it and allow USB debugging.',
      ],
      ['192.168.1.20:5555', '192.168.1.20:5555', 'The device does not answer adb.'],
      ['R58M1234567', 'R58M1234567', 'The user of the agent may not use the USB device.'],
    ],
  )
  assert.deepEqual(parseAdbDevices('List of devices attached\n\n'), [])
})

test('simctl: only available simulators of iOS are listed, with their version', () => {
  const output = JSON.stringify({
    devices: {
      'com.apple.CoreSimulator.SimRuntime.watchOS-10-2': [
        {
          udid: 'A0000000-0000-0000-0000-000000000000',
          name: 'Apple Watch Series 9',
          isAvailable: true,
          state: 'Shutdown',
        },
      ],
      'com.apple.CoreSimulator.SimRuntime.iOS-17-2': [
        {
          lastBootedAt: '2024-01-10T09:11:21Z',
          dataPath: '/Users/me/Library/Developer/CoreSimulator/Devices/5C3A/data',
          udid: '5C3A7F1E-8B0C-4E6A-9E57-0C1B5A1F7D11',
          isAvailable: true,
          deviceTypeIdentifier: 'com.apple.CoreSimulator.SimDeviceType.iPhone-15',
          state: 'Booted',
          name: 'iPhone 15',
        },
        { udid: 'B0000000-0000-0000-0000-000000000000', name: 'iPad', isAvailable: false, state: 'Shutdown' },
      ],
    },
  })
  assert.deepEqual(parseSimulators(output), [
    { kind: 'IOS_SIMULATOR', id: '5C3A7F1E-8B0C-4E6A-9E57-0C1B5A1F7D11', name: 'iPhone 15, iOS 17.2', problem: null },
  ])
})

test('devicectl: devices of iOS have their name, and the reason why one cannot be used', () => {
  const device = (name: string, connectionProperties: object, platform = 'iOS') => ({
    identifier: `ID-${name}`,
    connectionProperties,
    deviceProperties: { name, osVersionNumber: '17.2.1' },
    hardwareProperties: { platform, marketingName: 'iPhone 15 Pro', udid: '00008130-001A' },
  })
  const json = JSON.stringify({
    info: { outcome: 'success', version: '355.7.7' },
    result: {
      devices: [
        device('Ada’s iPhone', { pairingState: 'paired', tunnelState: 'connected', transportType: 'wired' }),
        device('Away', { pairingState: 'paired', tunnelState: 'unavailable' }),
        device('New', { pairingState: 'unpaired', tunnelState: 'disconnected' }),
        device('Watch', { pairingState: 'paired', tunnelState: 'connected' }, 'watchOS'),
      ],
    },
  })
  assert.deepEqual(
    parseIosDevices(json).map(({ name, problem }) => [name, problem]),
    [
      ['Ada’s iPhone', null],
      ['Away', 'The device is not connected.'],
      ['New', 'The device is not paired with this machine. Connect it and trust this computer.'],
    ],
  )
})
