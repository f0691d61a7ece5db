/** Samples of builds, their artifacts and deployments. */
import { at, jobEnd, refusal, stepProblem } from './common.ts'
import type { AreaSamples } from './kindSamples.ts'

const buildContent = {
  ...{ name: 'release', description: '', steps: [{ name: 'compile', command: 'make' }], environment: [] },
  ...{ artifacts: ['dist/**'], artifactRetentionDays: 30, timeoutSeconds: 3_600, destinations: [] },
  requirements: { platforms: ['linux'], architectures: [], tools: ['make'] },
}

const signingFacts = {
  teamId: 'ABCDE12345',
  expiresAt: at + 86_400_000,
  certificate: {
    ...{ commonName: 'Apple Distribution', organization: 'Example', teamId: 'ABCDE12345', serialNumber: '01' },
    ...{ sha1: 'a'.repeat(40), sha256: 'a'.repeat(64), notBefore: at, notAfter: at + 86_400_000, hasPrivateKey: true },
  },
  ...{ profile: null, keystore: null, storeKey: null },
}

const signingFile = { fileName: 'release.p12', size: 3_000, hasPassword: true }

export const builds = {
  serverUrlSettings: {
    init: {},
    events: {
      'save the local origin': { localUrlOverride: 'http://signalbox.lan:3000' },
      'save as it is': {},
      'save no override': {
        localUrlOverride: null,
        remoteUrlOverride: null,
        proxyUrlOverride: null,
        defaultKind: null,
      },
      'save at revision 9': { defaultKind: 'LOCAL', expectedRevision: 9 },
      save: { proxyUrlOverride: 'https://signalbox.example', defaultKind: 'PROXY' },
    },
  },
  buildConfiguration: {
    init: { repositoryId: 'rep_1', content: buildContent, createdBy: 'usr_1', createdAt: at },
    events: {
      update: { content: { ...buildContent, description: 'For the shop.' }, author: 'usr_1' },
      'update as it is': { content: buildContent, author: 'usr_1' },
      'update at revision 9': { content: buildContent, author: 'usr_1', expectedRevision: 9 },
      archive: {},
      unarchive: {},
    },
  },
  build: {
    init: {
      ...{ buildConfigurationId: 'bcf_1', configurationVersion: 1, content: buildContent },
      ...{ trigger: 'CONSOLE', repositoryId: 'rep_1', repository: 'github.com/acme/shop' },
      ...{ codebaseId: 'cbs_1', codebasePath: '/c', worktreeId: 'wt_1', worktreePath: '/w', agentId: 'agt_1' },
      serverUrls: { kind: 'LOCAL', local: 'http://10.0.0.1:3000', remote: 'http://10.0.0.1:3000', proxy: null },
      ...{ requestedCommit: null, number: 1, rebuildOf: null, requestedBy: 'usr_1', createdAt: at },
    },
    otherInits: [{ slot: { limit: 1, exclusive: false, above: ['run_1'] } }],
    events: {
      jobReady: { jobId: 'job_1' },
      'jobChanged ACCEPTED': { jobId: 'job_1', step: 1, state: 'ACCEPTED' },
      'jobChanged STARTED': { jobId: 'job_1', step: 2, state: 'STARTED' },
      'progressed BUILDING': { phase: 'BUILDING', commit: 'c'.repeat(40) },
      'progressed COLLECTING': { phase: 'COLLECTING', commit: 'c'.repeat(40) },
      covered: {
        ...{ linesCovered: 6, linesTotal: 8, branchesCovered: null, branchesTotal: null },
        ...{ fileCount: 1, omittedFileCount: 0, previous: null },
      },
      'jobEnded SUCCEEDED': { ...jobEnd, outcome: 'SUCCEEDED', result: { commit: 'c'.repeat(40) } },
      'jobEnded FAILED': { ...jobEnd, outcome: 'FAILED', problem: stepProblem },
      'jobEnded CANCELED': { ...jobEnd, outcome: 'CANCELED' },
      'jobEnded TIMED_OUT': { ...jobEnd, outcome: 'TIMED_OUT' },
      'jobEnded LOST': { ...jobEnd, outcome: 'LOST' },
      cancel: { code: 'CANCELED_BY_REQUEST', message: 'Not needed.' },
      placed: { queuedAt: at + 1 },
      admit: { queuedAt: at + 1 },
      terminate: { code: 'WORKTREE_REMOVED', message: 'The worktree was removed.' },
      agentRevoked: {},
      'refused enqueue': { ...refusal, sent: 'enqueue' },
      effectFailed: { effectId: 'bld_1:2:0', effect: 'notify', problem: 'down' },
      effectRecovered: { effectId: 'bld_1:2:0' },
      effectGivenUp: { effectId: 'bld_1:2:0' },
    },
  },
  buildArtifact: {
    init: {
      ...{ buildId: 'bld_1', agentId: 'agt_1', path: 'dist/a.zip', contentType: 'application/zip', size: 3 },
      ...{ sha256: 'h', app: null, retentionDays: 30, createdAt: at },
    },
    events: {
      uploadReady: { uploadId: 'upl_1' },
      uploadFailed: { uploadId: 'upl_1', problem: { code: 'CHECKSUM_MISMATCH', message: 'Wrong.' } },
      pin: {},
      unpin: {},
      delete: {},
      awaitStored: { transferId: 'atr_1' },
    },
  },
  deployment: {
    init: {
      ...{ buildId: 'bld_1', buildName: 'release', buildNumber: 1, commit: 'c'.repeat(40), repositoryId: 'rep_1' },
      serverUrls: { kind: 'LOCAL', local: 'http://10.0.0.1:3000', remote: 'http://10.0.0.1:3000', proxy: null },
      environment: [],
      destination: { kind: 'HOST', id: null, name: 'builder', command: null },
      artifact: { id: 'baf_1', path: 'dist/app', name: 'app', size: 3, sha256: 'h' },
      ...{ sourceAgentId: 'agt_1', targetAgentId: 'agt_2', timeoutSeconds: 60, number: 1, requestedBy: 'usr_1' },
      createdAt: at,
    },
    events: {
      jobReady: { jobId: 'job_1' },
      'jobChanged ACCEPTED': { jobId: 'job_1', step: 1, state: 'ACCEPTED' },
      'jobChanged STARTED': { jobId: 'job_1', step: 2, state: 'STARTED' },
      'progressed TRANSFERRING': { phase: 'TRANSFERRING' },
      'progressed INSTALLING': { phase: 'INSTALLING' },
      'progressed RUNNING': { phase: 'RUNNING' },
      'jobEnded SUCCEEDED': { ...jobEnd, outcome: 'SUCCEEDED' },
      'jobEnded FAILED': { ...jobEnd, outcome: 'FAILED', problem: stepProblem },
      'jobEnded CANCELED': { ...jobEnd, outcome: 'CANCELED' },
      'jobEnded TIMED_OUT': { ...jobEnd, outcome: 'TIMED_OUT' },
      'jobEnded LOST': { ...jobEnd, outcome: 'LOST' },
      transferEnded: { problem: { code: 'TRANSFER_EXPIRED', message: 'Too late.' } },
      stop: { code: 'STOPPED_BY_REQUEST', message: 'Not needed.' },
      effectFailed: { effectId: 'dep_1:2:0', effect: 'notify', problem: 'down' },
      effectRecovered: { effectId: 'dep_1:2:0' },
      effectGivenUp: { effectId: 'dep_1:2:0' },
    },
  },
  artifactTransfer: {
    init: {
      ...{ deploymentId: 'dep_1', artifactId: 'baf_1', sourceAgentId: 'agt_1', targetAgentId: 'agt_2' },
      ...{ name: 'app', size: 3, sha256: 'h', createdAt: at },
    },
    events: {
      artifactUploading: {},
      artifactStored: {},
      artifactEnded: { problem: { code: 'ARTIFACT_DELETED', message: 'The artifact was deleted.' } },
      download: {},
      received: { bytes: 2 },
      complete: {},
      close: {},
      'refused awaitStored': { ...refusal, sent: 'awaitStored', echo: null },
    },
  },
  signingAsset: {
    init: { kind: 'APPLE_CERTIFICATE', name: 'Release', createdBy: 'usr_1', createdAt: at },
    events: {
      store: { sealed: 's1', devices: [], file: signingFile, facts: signingFacts },
      migrated: {},
      'store again': { sealed: 's2', devices: ['h'], file: signingFile, facts: { ...signingFacts, expiresAt: null } },
      rename: { name: 'Store' },
      'reseal the present one': { from: 's1', to: 's1 re-encrypted' },
      'reseal what is gone': { from: 's0', to: 's0 re-encrypted' },
      archive: {},
    },
  },
  upload: {
    init: {
      purpose: 'ARTIFACT',
      owner: { kind: 'job', id: 'job_1' },
      name: 'App.ipa',
      contentType: 'application/octet-stream',
      size: 10,
      sha256: 'a'.repeat(64),
      agentId: 'agt_1',
      createdBy: 'agt_1',
      createdAt: at,
    },
    events: {
      begin: {},
      'advance a part': { writer: 0, offset: 4 },
      'advance to the end': { writer: 0, offset: 10 },
      'advance of a former writer': { writer: -1, offset: 10 },
      'advance beyond the end': { writer: 0, offset: 11 },
      verified: { sha256: 'a'.repeat(64) },
      'verified another sum': { sha256: 'b'.repeat(64) },
      verifyProgressed: { verified: 6 },
      verifyDelayed: { message: 'away' },
      bytesLost: { stored: 2 },
      delete: {},
      effectFailed: { effectId: 'upl_1/2/0', effect: 'verifyUpload', problem: 'p' },
      'refused uploadReady': { ...refusal, sent: 'uploadReady', code: 'NOT_FOUND', by: { kind: 'job', id: 'job_1' } },
    },
  },
} satisfies AreaSamples
