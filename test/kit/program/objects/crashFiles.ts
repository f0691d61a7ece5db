/** Crash reports of one crash, as files of each format. */
export const shop = '0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0'
export const system = '11112222-3333-4444-5555-666677778888'
export const incident = 'F71CCC53-3A83-4BA7-88A4-09303932E28A'

export const ipsHead = {
  app_name: 'Shop',
  timestamp: '2026-01-05 09:30:01.00 +0100',
  app_version: '2.4.1',
  build_version: '241',
  bundleID: 'org.example.shop',
  bug_type: '309',
  os_version: 'iPhone OS 18.5 (22F76)',
  incident_id: incident,
}

export const ipsBody = {
  modelCode: 'iPhone15,2',
  osVersion: { train: 'iPhone OS 18.5', build: '22F76', isEmbedded: true },
  captureTime: '2026-01-05 09:30:00.1234 +0100',
  incident,
  cpuType: 'ARM-64',
  bundleInfo: { CFBundleShortVersionString: '2.4.1', CFBundleVersion: '241', CFBundleIdentifier: 'org.example.shop' },
  exception: { type: 'EXC_CRASH', signal: 'SIGABRT', codes: '0x0, 0x0' },
  termination: { namespace: 'SIGNAL', indicator: 'Abort trap: 6' },
  asi: { 'libsystem_c.dylib': ['abort() called'], CoreFoundation: ['*** Terminating app due to an exception'] },
  faultingThread: 1,
  lastExceptionBacktrace: [{ imageOffset: 4_096, imageIndex: 1, symbol: '__exceptionPreprocess', symbolLocation: 160 }],
  threads: [
    {
      id: 1,
      queue: 'com.apple.main-thread',
      frames: [{ imageOffset: 8, symbol: 'mach_msg', symbolLocation: 8, imageIndex: 1 }],
    },
    {
      id: 2,
      triggered: true,
      frames: [
        {
          imageOffset: 20_480,
          imageIndex: 0,
          symbol: 'Cart.add(_:)',
          symbolLocation: 84,
          sourceFile: 'Cart.swift',
          sourceLine: 31,
        },
        { imageOffset: 24_576, imageIndex: 0, symbol: '_mh_execute_header', symbolLocation: 24_576 },
        { imageOffset: 99, imageIndex: 2 },
      ],
    },
  ],
  usedImages: [
    {
      source: 'P',
      arch: 'arm64',
      base: 4_371_070_976,
      size: 65_536,
      uuid: shop.toLowerCase(),
      path: '/private/Shop.app/Shop',
      name: 'Shop',
    },
    {
      source: 'S',
      arch: 'arm64e',
      base: 7_000_000_000,
      size: 65_536,
      uuid: system.toLowerCase(),
      name: 'CoreFoundation',
    },
    { size: 0, source: 'A', base: 0, uuid: '00000000-0000-0000-0000-000000000000' },
    { source: 'P', arch: 'arm64', base: 5_000_000_000, size: 65_536, uuid: incident.toLowerCase(), name: 'Unused' },
  ],
}

export const ips = (head: object = ipsHead, body: object = ipsBody): string =>
  `${JSON.stringify(head)}\n${JSON.stringify(body, undefined, 2)}\n`

export const crashText = (
  version: string,
  reportVersion: string,
  os: string,
  date = '2026-01-05 09:30:00.123 +0100',
) => `Incident Identifier: ${incident}
CrashReporter Key:   5f34f05ff9130504d107ebb1aadfe546e55af43c
Hardware Model:      iPhone15,2
Process:             Big Shop [8364]
Path:                /private/var/containers/Bundle/Application/X/Big Shop.app/Big Shop
Identifier:          org.example.shop
Version:             ${version}
Code Type:           ARM-64 (Native)

Date/Time:           ${date}
OS Version:          ${os}
Report Version:      ${reportVersion}

Exception Type:  EXC_CRASH (SIGABRT)
Exception Codes: 0x0000000000000000, 0x0000000000000000
Triggered by Thread:  1

Application Specific Information:
abort() called
*** Terminating app due to an exception

Last Exception Backtrace:
(0x1000 0x104d25000)

Thread 0 name:  Dispatch queue: com.apple.main-thread
Thread 0:
0   CoreFoundation                \t0x0000000000001000 mach_msg + 8

Thread 1 Crashed:
0   Big Shop                      \t0x0000000104d25000 Cart.add(_:) + 84 (Cart.swift:31)
1   Big Shop                      \t0x0000000104d26000 0x104d20000 + 24576
2   ???                           \t0x0000000000000063 0 + 99

Thread 1 crashed with ARM Thread State (64-bit):
    x0: 0x0000000000000000   x1: 0x0000000000000000

Binary Images:
0x104d20000 - 0x104d2bfff Big Shop arm64  <${shop.replaceAll('-', '').toLowerCase()}> /private/var/containers/Bundle/Application/X/Big Shop.app/Big Shop
0x1000 - 0x1fff CoreFoundation arm64e  <${system.replaceAll('-', '').toLowerCase()}> /System/Library/Frameworks/CoreFoundation.framework/CoreFoundation
0x300000 - 0x3fffff Unused arm64  <${incident.replaceAll('-', '').toLowerCase()}> /usr/lib/Unused

EOF
`

export const call = (uuid: string, name: string, address: number, offset: number, ...subFrames: object[]) => ({
  binaryUUID: uuid,
  binaryName: name,
  address,
  offsetIntoBinaryTextSegment: offset,
  sampleCount: 1,
  ...(subFrames.length > 0 ? { subFrames } : {}),
})

export const diagnostic = {
  version: '1.0.0',
  callStackTree: {
    callStackPerThread: true,
    callStacks: [
      {
        threadAttributed: true,
        callStackRootFrames: [
          call(shop, 'Shop', 4_371_091_456, 20_480, call(system, 'UIKitCore', 7_000_004_096, 4_096)),
        ],
      },
      { threadAttributed: false, callStackRootFrames: [call(system, 'UIKitCore', 7_000_008_192, 8_192)] },
    ],
  },
  diagnosticMetaData: {
    bundleIdentifier: 'org.example.shop',
    appVersion: '2.4.1',
    appBuildVersion: '241',
    osVersion: 'iPhone OS 18.5 (22F76)',
    deviceType: 'iPhone15,2',
    platformArchitecture: 'arm64e',
    exceptionType: 10,
    exceptionCode: 0,
    signal: 6,
    terminationReason: 'Namespace SIGNAL, Code 6',
  },
}
