/** Samples of apps, crashes and debug symbols. */
import { at, refusal } from './common.ts'
import type { AreaSamples } from './kindSamples.ts'

const imageUuid = '0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0'

const crashGroupPlace = (id: string) => ({
  ...{ id, exceptionType: 'EXC_BREAKPOINT' },
  frames: [{ image: 'App', symbol: `Cart.total() of ${id}`, address: null }],
})

const dsymWarning = { code: 'NO_UUID', bundle: 'Shop.app.dSYM', message: 'A file has no UUID.' }

const joined = (crashId: string, move: number) => ({
  ...{ crashId, move, version: '1.0', build: '1' },
  ...{ crashedAt: at, receivedAt: at, buildSeenAt: at },
})

export const apps = {
  app: {
    init: { bundleIdentifier: 'org.example.app', name: 'App', createdBy: 'usr_1', createdAt: at },
    otherInits: [{ unclaimed: true }],
    events: {
      rename: { name: 'Another' },
      'rename as it is': { name: 'App' },
      'rename at revision 9': { name: 'Late', expectedRevision: 9 },
      'rename as it is at revision 9': { name: 'App', expectedRevision: 9 },
      buildSeen: { version: '1.0', build: '1' },
      claim: { name: 'Claimed' },
      'claim without a name': {},
      archive: {},
      restore: {},
    },
  },
  crashReport: {
    init: {
      appId: 'app_1',
      reportId: 'r',
      contentHash: 'h',
      version: '1.0',
      build: '1',
      osName: 'iOS',
      osVersion: '18.5',
      deviceModel: null,
      happenedAt: at,
      exceptionType: 'EXC_BREAKPOINT',
      exceptionReason: null,
      frames: { total: 3, named: 0, unnamed: 2 },
      wantedCount: 1,
      group: crashGroupPlace('cgr_1'),
      hasSymbols: false,
      buildSeenAt: at,
      recordedBy: 'usr_1',
      createdAt: at,
    },
    openings: [{ type: 'wants', images: [{ name: 'App', uuid: imageUuid, arch: 'arm64', there: false, revision: 0 }] }],
    events: {
      wants: {
        images: [
          { name: 'Lib', uuid: '00000000-0000-4000-8000-000000000009', arch: 'arm64', there: false, revision: 0 },
        ],
      },
      'wants with symbols': {
        images: [
          { name: 'Kit', uuid: '00000000-0000-4000-8000-000000000008', arch: 'arm64', there: true, revision: 1 },
        ],
      },
      giveUp: {},
      'symbolsChanged there': { uuid: imageUuid, there: true, revision: 1 },
      'symbolsChanged gone': { uuid: imageUuid, there: false, revision: 2 },
      'symbolsChanged of another': { uuid: 'u', there: true, revision: 9 },
      'symbolicated without a symbol table': { images: [{ uuid: imageUuid, there: true, revision: 1 }], result: null },
      'symbolicated while the image is missing': {
        images: [{ uuid: imageUuid, there: false, revision: 2 }],
        result: { named: 0, unnamed: 2, symbols: 's1', group: crashGroupPlace('cgr_1') },
      },
      'symbolicated in part': {
        images: [{ uuid: imageUuid, there: true, revision: 3 }],
        result: { named: 1, unnamed: 1, symbols: 's2', group: crashGroupPlace('cgr_2') },
      },
      symbolicated: {
        images: [{ uuid: imageUuid, there: true, revision: 4 }],
        result: { named: 2, unnamed: 0, symbols: 's3', group: crashGroupPlace('cgr_3') },
      },
      symbolicationDelayed: { message: 'The storage does not answer.' },
      symbolicationFailed: { message: 'The report is too complex.' },
      'effectFailed of the symbolication': { effectId: 'crs_1/2/0', effect: 'symbolicateReport', problem: 'p' },
      'refused wanted': { ...refusal, sent: 'wanted', code: 'NOT_FOUND', echo: imageUuid },
      'refused released': { ...refusal, sent: 'released', code: 'NOT_FOUND' },
      'refused reportJoined': {
        ...refusal,
        ...{ sent: 'reportJoined', code: 'NOT_FOUND', by: { kind: 'crashGroup', id: 'cgr_1' } },
        echo: { move: 1, exceptionType: 'EXC_BREAKPOINT', frames: [] },
      },
      'refused reportLeft': {
        ...refusal,
        ...{ sent: 'reportLeft', code: 'NOT_FOUND', by: { kind: 'crashGroup', id: 'cgr_1' } },
        echo: { move: 2, exceptionType: 'EXC_BREAKPOINT', frames: [] },
      },
    },
  },
  crashGroup: {
    init: {
      appId: 'app_1',
      exceptionType: 'EXC_BREAKPOINT',
      frames: [{ image: 'App', symbol: 'Cart.total()', address: null }],
      createdAt: at,
    },
    events: {
      reportJoined: joined('crs_1', 1),
      'reportJoined by another': joined('crs_2', 1),
      'reportJoined of a newer build': { ...joined('crs_3', 1), build: '2', buildSeenAt: at + 1 },
      'reportJoined of a spike': { ...joined('crs_4', 1), receivedAt: at + 3_600_000 },
      reportLeft: { crashId: 'crs_1', move: 2 },
      'reportLeft before it joined': { crashId: 'crs_9', move: 2 },
      acknowledge: {},
      resolve: {},
    },
  },
  dsym: {
    init: {
      appId: 'app_1',
      version: '1.0',
      build: '1',
      images: [{ name: 'App', uuid: imageUuid, arch: 'arm64' }],
      key: 'k',
      recordedBy: 'usr_1',
      createdAt: at,
    },
    events: {
      'refused symbolsAdded': { ...refusal, sent: 'symbolsAdded', code: 'NOT_FOUND', echo: imageUuid },
      'refused buildSeen': { ...refusal, sent: 'buildSeen' },
      held: { uuid: imageUuid },
      delete: {},
    },
  },
  binaryImage: {
    init: { uuid: imageUuid, createdAt: at },
    events: {
      wanted: { crashId: 'crs_1', revision: 0 },
      'wanted with symbols of another revision': { crashId: 'crs_2', revision: 7 },
      released: { crashId: 'crs_1' },
      symbolsAdded: { dsymId: 'dsy_1' },
      'symbolsAdded by another': { dsymId: 'dsy_2' },
      symbolsRemoved: { dsymId: 'dsy_1' },
      'refused held': { ...refusal, sent: 'held', by: { kind: 'dsym', id: 'dsy_1' } },
      'refused symbolsChanged': { ...refusal, sent: 'symbolsChanged' },
      tableWritten: { table: { blob: 'symbol-tables/b1', size: 8192, textAddress: '100000000', rank: 2 } },
      'tableWritten with a worse table': {
        table: { blob: 'symbol-tables/b0', size: 8192, textAddress: '100000000', rank: 1 },
      },
      'announced in part': { revision: 1, downTo: 'crs_1', isEnd: false },
      announced: { revision: 1, downTo: 'crs_1', isEnd: true },
      'announced of an earlier revision': { revision: -1, downTo: 'crs_1', isEnd: true },
      announcingDelayed: { message: 'The storage does not answer.' },
      effectFailed: { effectId: 'img_1:2:0', effect: 'symbolicateWaiting', problem: 'p' },
      'effectFailed of a message': { effectId: 'img_1:2:1', effect: 'tell', problem: 'p' },
      effectRecovered: { effectId: 'img_1:2:0' },
      effectGivenUp: { effectId: 'img_1:2:0' },
    },
  },
  dsymUpload: {
    init: {
      name: 'dSYMs.zip',
      size: 10,
      sha256: 'a'.repeat(64),
      duplicateOf: null,
      requestKey: 'key_1|k',
      createdBy: 'key_1',
      createdAt: at,
    },
    events: {
      begin: {},
      'advance to the end': { writer: 0, offset: 10 },
      'advance a part': { writer: 0, offset: 4 },
      'advance of a former writer': { writer: -1, offset: 10 },
      'advance beyond the end': { writer: 0, offset: 11 },
      complete: {},
      interrupted: {},
      verified: { sha256: 'a'.repeat(64) },
      'verified another sum': { sha256: 'b'.repeat(64) },
      verifyProgressed: { verified: 6 },
      verifyDelayed: { message: 'away' },
      'indexed a part': { from: 0, to: 1, bundles: 2, dsyms: { 0: 'dsy_1' }, warnings: [dsymWarning] },
      'indexed the last part': { from: 1, to: 2, bundles: 2, dsyms: { 1: 'dsy_2' }, warnings: [] },
      indexingGoesOn: {},
      indexingDelayed: { message: 'away' },
      indexingRefused: { code: 'INVALID_ZIP', message: 'The zip is damaged.' },
      otherFound: {},
      duplicate: { of: 'dsu_2', dsymIds: ['dsy_1'] },
      bytesLost: { stored: 2 },
      delete: {},
      'effectFailed of the index': { effectId: 'dsu_1/2/0', effect: 'indexDsyms', problem: 'p' },
      'effectFailed of the removal': { effectId: 'dsu_1/2/0', effect: 'removeBlob', problem: 'p' },
    },
  },
} satisfies AreaSamples
