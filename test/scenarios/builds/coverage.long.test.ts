/** COVERAGE builds with the real agent: reports of a real tool, the change since the previous build, and reports that cannot be read. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { createConfiguration, readBuildLog, untilBuild, withRemote } from '../../kit/program/objects/builds.ts'
import { mutate } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram
let machine: Machine
let repositoryId = ''

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { hasTestClis: false, branches: ['feature'] })
  ;({ repositoryId } = await withRemote(stage, machine))
})
after(() => stage?.end())

interface CoverageBuild {
  readonly id: string
  readonly kind: string
  readonly branch: string | null
  readonly status: string
  readonly problem: { readonly code: string; readonly message: string } | null
  readonly coverage: {
    readonly linesCovered: number
    readonly linesTotal: number
    readonly percent: number | null
    readonly branchesCovered: number | null
    readonly branchesTotal: number | null
    readonly change: number | null
    readonly previousBuildId: string | null
    readonly fileCount: number
    readonly omittedFileCount: number
    readonly files: { readonly nodes: readonly CoverageFile[] }
  } | null
}

interface CoverageFile {
  readonly path: string
  readonly linesCovered: number
  readonly linesTotal: number
  readonly percent: number | null
  readonly change: number | null
}

const fileFields = 'path linesCovered linesTotal percent change'
const fields = `id kind branch status problem { code message } coverage {
  linesCovered linesTotal percent branchesCovered branchesTotal change previousBuildId fileCount omittedFileCount
  files { nodes { ${fileFields} } }
}`

let count = 0
const configure = (command: string, input: Readonly<Record<string, unknown>>): Promise<string> =>
  createConfiguration(stage.ask, {
    ...{ repositoryId, name: `coverage ${++count}`, steps: [{ name: 'test', command }] },
    ...input,
  })

const start = async (input: Readonly<Record<string, unknown>>): Promise<string> =>
  (
    await mutate<{ build: { id: string } }>(
      stage.ask,
      'startBuild',
      { worktreeId: machine.worktree('main'), kind: 'COVERAGE', ...input },
      'build { id }',
    )
  ).build.id

async function endOf(id: string, status = 'SUCCEEDED'): Promise<CoverageBuild> {
  await untilBuild(stage.ask, id, [status])
  return (await stage.ask<{ build: CoverageBuild }>(`query ($id: ID!) { build(id: $id) { ${fields} } }`, { id })).build
}

const run = async (input: Readonly<Record<string, unknown>>, status?: string) => await endOf(await start(input), status)

/** Tests with the runner of Node, which writes a report in the format of lcov. */
const nodeTest = (test: string) => `mkdir -p coverage src
cat > src/price.mjs <<'END'
export function total(prices, discount) {
  let amount = 0
  for (const price of prices) amount += price
  if (discount) {
    amount -= discount
  }
  return amount
}
END
cat > src/price.test.mjs <<'END'
import { test } from 'node:test'
import { total } from './price.mjs'
test('total', () => ${test})
END
node --test --experimental-test-coverage --test-coverage-exclude='**/*.test.mjs' --test-reporter=lcov --test-reporter-destination=coverage/lcov.info src/price.test.mjs`

const coverageReports = [{ format: 'LCOV', pattern: 'coverage/*.info' }]

describe('a report of the test runner of Node', () => {
  let buildConfigurationId = ''
  let first: CoverageBuild
  let second: CoverageBuild

  test('gives the totals and the files; the first build of a branch has no change', async () => {
    buildConfigurationId = await configure(nodeTest('total([1, 2])'), { coverageReports, artifacts: ['coverage/**'] })
    first = await run({ buildConfigurationId })
    assert.deepEqual([first.kind, first.branch, first.problem], ['COVERAGE', 'main', null])
    assert.deepEqual(first.coverage, {
      ...{ linesCovered: 6, linesTotal: 8, percent: 75, branchesCovered: 3, branchesTotal: 4 },
      ...{ change: null, previousBuildId: null, fileCount: 1, omittedFileCount: 0 },
      files: { nodes: [{ path: 'src/price.mjs', linesCovered: 6, linesTotal: 8, percent: 75, change: null }] },
    })
    assert.match(await readBuildLog(stage.ask, first.id), /Coverage: 6 of 8 lines \(75\.00 %\), files: 1/)
  })

  test('the next build of the branch has the change', async () => {
    await mutate(
      stage.ask,
      'updateBuildConfiguration',
      {
        ...{ buildConfigurationId, name: 'coverage', coverageReports },
        steps: [{ name: 'test', command: nodeTest('total([1, 2], 1)') }],
      },
      'buildConfiguration { version content { coverageReports { format pattern } } }',
    )
    second = await run({ buildConfigurationId })
    assert.deepEqual(
      [second.coverage?.percent, second.coverage?.change, second.coverage?.previousBuildId],
      [100, 25, first.id],
    )
    assert.equal(second.coverage?.files.nodes[0]?.change, 25)
  })

  test('a rebuild keeps the kind, the version and the branch, and is compared with the build before it', async () => {
    const { build } = await mutate<{ build: { id: string } }>(
      stage.ask,
      'rebuild',
      { buildId: first.id },
      'build { id }',
    )
    const again = await endOf(build.id)
    assert.deepEqual([again.kind, again.branch], ['COVERAGE', 'main'])
    assert.deepEqual(
      [again.coverage?.percent, again.coverage?.change, again.coverage?.previousBuildId],
      [75, -25, second.id],
    )
  })

  test('another branch is not compared with it', async () => {
    const other = await run({ buildConfigurationId, worktreeId: machine.worktree('feature') })
    assert.deepEqual([other.branch, other.coverage?.percent, other.coverage?.change], ['feature', 100, null])
    const named = await run({ buildConfigurationId, commit: 'feature' })
    assert.deepEqual([named.branch, named.coverage?.change, named.coverage?.previousBuildId], ['feature', 0, other.id])
  })

  test('a BUILD of the same configuration reads no report, and lists have one kind', async () => {
    const build = await run({ buildConfigurationId, kind: 'BUILD' })
    assert.deepEqual([build.kind, build.coverage], ['BUILD', null])
    const kinds = async (kind: string) =>
      (
        await stage.ask<{ builds: { nodes: { kind: string }[] } }>(
          'query ($id: ID!, $kind: BuildKind) { builds(buildConfigurationId: $id, kind: $kind) { nodes { kind } } }',
          { id: buildConfigurationId, kind },
        )
      ).builds.nodes.map((one) => one.kind)
    assert.deepEqual(await kinds('BUILD'), ['BUILD'])
    assert.deepEqual(await kinds('COVERAGE'), Array(5).fill('COVERAGE'))
  })
})

test('a configuration without reports has no COVERAGE builds', async () => {
  const buildConfigurationId = await configure('true', {})
  const { code, message } = await refusal(start({ buildConfigurationId }))
  assert.equal(code, 'FAILED_PRECONDITION')
  assert.match(message, /^kind: the build configuration has no `coverageReports`/)
})

describe('reports that cannot be read', () => {
  test('fail the build with the file, the line and the reason; its artifacts are stored', async () => {
    const buildConfigurationId = await configure('printf "SF:a.js\\nDA:1,yes\\n" > a.info', {
      coverageReports: [{ format: 'LCOV', pattern: 'a.info' }],
      artifacts: ['a.info'],
    })
    const build = await run({ buildConfigurationId }, 'FAILED')
    assert.deepEqual(build.problem, {
      code: 'COVERAGE_REPORT_INVALID',
      message: 'The coverage could not be read: a.info (LCOV): line 2: “DA:1,yes” is no line number and count',
    })
    assert.equal(build.coverage, null)
    const { buildArtifacts } = await stage.ask<{ buildArtifacts: { nodes: { status: string }[] } }>(
      'query ($buildId: ID!) { buildArtifacts(buildId: $buildId) { nodes { status } } }',
      { buildId: build.id },
    )
    assert.deepEqual(buildArtifacts.nodes, [{ status: 'STORED' }])
  })

  test('fail the build if they are missing or are links', async () => {
    const buildConfigurationId = await configure('ln -s /etc/hostname a.xml', {
      coverageReports: [{ format: 'COBERTURA', pattern: '*.xml' }],
    })
    const { problem } = await run({ buildConfigurationId }, 'FAILED')
    assert.equal(problem?.code, 'COVERAGE_REPORT_MISSING')
    assert.match(problem.message, /no file matches “\*\.xml” \(COBERTURA\)/)
  })

  test('do not hide the problem of a step; a report of failed tests is read', async () => {
    const missing = await configure('exit 4', { coverageReports })
    assert.equal((await run({ buildConfigurationId: missing }, 'FAILED')).problem?.code, 'STEP_FAILED')
    const failing = await configure(nodeTest('{ total([1]); throw new Error("no") }'), { coverageReports })
    const { problem, coverage } = await run({ buildConfigurationId: failing }, 'FAILED')
    assert.deepEqual([problem?.code, coverage?.percent], ['STEP_FAILED', 75])
  })
})

test('of more than 10,000 files, the 10,000 with the most missed lines are listed in pages, and all are in the totals', async () => {
  const command = `for i in $(seq 10050); do printf 'SF:src/f%s.c\\nDA:1,%s\\nDA:2,1\\nend_of_record\\n' $i $((i > 100)); done > all.info`
  const buildConfigurationId = await configure(command, {
    coverageReports: [{ format: 'LCOV', pattern: 'all.info' }],
  })
  const { id, coverage } = await run({ buildConfigurationId })
  assert.deepEqual(
    [coverage?.linesCovered, coverage?.linesTotal, coverage?.percent, coverage?.fileCount, coverage?.omittedFileCount],
    [20_000, 20_100, 99.5, 10_050, 50],
  )
  const list = async (args: string) =>
    (
      await stage.ask<{
        files: {
          totalCount: number
          nodes: CoverageFile[]
          pageInfo: { hasNextPage: boolean; endCursor: string }
        }
      }>(
        `query ($id: ID!) { files: buildCoverageFiles(buildId: $id, ${args}) { totalCount nodes { ${fileFields} } pageInfo { hasNextPage endCursor } } }`,
        { id },
      )
    ).files
  const order = 'orderBy: { field: LINES_MISSED, direction: DESC }'
  const first = await list(`first: 100, ${order}`)
  assert.deepEqual([first.totalCount, first.pageInfo.hasNextPage], [10_000, true])
  assert.ok(first.nodes.every(({ percent }) => percent === 50))
  const next = await list(`first: 100, after: "${first.pageInfo.endCursor}", ${order}`)
  assert.ok(next.nodes.every(({ percent }) => percent === 100))
  assert.equal(new Set([...first.nodes, ...next.nodes].map(({ path }) => path)).size, 200)
  const found = await list('search: "F77.C"')
  assert.deepEqual(
    found.nodes.map(({ path }) => path),
    ['src/f77.c'],
  )
})

test('an agent that is killed during the steps reads the reports after its restart', async () => {
  const command = `printf 'SF:a.c\\nDA:1,1\\nend_of_record\\n' > a.info; sleep 2`
  const buildConfigurationId = await configure(command, { coverageReports: [{ format: 'LCOV', pattern: 'a.info' }] })
  const id = await start({ buildConfigurationId })
  await untilBuild(stage.ask, id, ['RUNNING'])
  await machine.stop('SIGKILL')
  await machine.start()
  const { coverage } = await endOf(id)
  assert.deepEqual([coverage?.linesCovered, coverage?.linesTotal], [1, 1])
})

test('a caller that is not an agent cannot report coverage', async () => {
  const input = { epoch: 1, jobId: `job_${'0'.repeat(26)}`, attempt: 1, piece: 0, files: [] }
  const refused = await refusal(mutate(stage.ask, 'reportBuildCoverage', input, 'jobId'))
  assert.equal(refused.code, 'FORBIDDEN')
})
