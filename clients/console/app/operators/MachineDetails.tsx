/** The facts of a machine: its states, what each waits for, its deadlines and its events, and the chart for download. */
import { readPreferences } from '../../../../spec/pages/preferences.ts'
import { formatDelay } from '../../chart/formatDelay.ts'
import { type Chart, type ChartNode, isWithin } from '../../chart/model.ts'
import { parseChart } from '../../chart/parseChart.ts'
import type { ChartTheme } from '../../chart/styleSheet.ts'
import { loadChartLayout } from '../chart/chartLayouts.ts'
import { downloadFile } from '../parts/downloadFile.ts'
import { formatKind } from '../parts/formatName.ts'
import { RelativeTime } from '../parts/RelativeTime.tsx'

export interface MachineVersion {
  readonly version: number
  readonly hash: string
  readonly definition: string
  readonly firstSeenAt: string
}

export function MachineDetails({
  kind,
  versions,
}: {
  readonly kind: string
  readonly versions: readonly MachineVersion[]
}) {
  const newest = versions.at(-1)
  if (newest === undefined) return null
  const chart = parseChart(newest.definition)
  const leaves = chart.nodes.filter(({ children }) => children.length === 0)
  return (
    <details class="disclosure">
      <summary>Machine</summary>
      <ChartDownloads kind={kind} version={newest} />
      <section class="table" aria-label="States">
        <table>
          <thead>
            <tr>
              <th>State</th>
              <th>Waits for</th>
              <th>Deadlines</th>
              <th>Events</th>
            </tr>
          </thead>
          <tbody>
            {leaves.map((node) => (
              <tr key={node.path}>
                <th scope="row">
                  {node.path} <span class="hint">{node.label}</span>
                </th>
                <td>{node.meta.waitsFor}</td>
                <td>{describeDeadlines(chart, node)}</td>
                <td>{listEvents(chart, node).join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <h2>Versions</h2>
      <ul>
        {versions.toReversed().map(({ version, hash, firstSeenAt }) => (
          <li key={hash}>
            {version} <code>{hash}</code> <span class="hint">first used</span> <RelativeTime at={firstSeenAt} />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The paths of the state and of all states around it. */
function listPathsUpTo(chart: Chart, { path }: ChartNode): readonly string[] {
  return chart.nodes.map((node) => node.path).filter((candidate) => isWithin(path, candidate))
}

function describeDeadlines(chart: Chart, node: ChartNode): string {
  if (node.terminal) return 'final state'
  const paths = listPathsUpTo(chart, node)
  const deadlines = chart.edges.filter(
    ({ source, event, target }) => paths.includes(source) && event.startsWith('xstate.after') && target !== null,
  )
  const { lease, unbounded, expected } = node.meta
  const texts = [
    ...deadlines.map(({ label, target }) => `${label} → ${target}`),
    lease && `lease: ${lease}`,
    unbounded && `no deadline: ${unbounded}`,
    expected !== undefined && `expected: ${formatDelay(expected)}`,
  ]
  return [...new Set(texts.filter(Boolean))].join('; ')
}

function listEvents(chart: Chart, node: ChartNode): readonly string[] {
  if (node.terminal) return []
  const paths = listPathsUpTo(chart, node)
  // Without XState's own events and eventless transitions.
  const events = chart.edges.filter(({ source, event }) => paths.includes(source) && !/^(xstate\.|$)/.test(event))
  return [...new Set(events.map(({ event }) => event))].sort()
}

/** The exported chart has the theme that the user has chosen. Without a choice it follows the system of its reader. */
function getChosenTheme(): ChartTheme {
  return readPreferences(document.cookie).theme ?? 'auto'
}

function ChartDownloads({ kind, version }: { readonly kind: string; readonly version: MachineVersion }) {
  const name = `${kind.toLowerCase().replaceAll('_', '-')}-${version.version}`
  const svg = async () => {
    const { renderChart } = await import('../../chart/renderChart.ts')
    const chart = await loadChartLayout({ kind, hash: version.hash }, 'picture')
    downloadFile(
      `${name}.svg`,
      'image/svg+xml',
      renderChart(chart, { title: formatKind(kind), subtitle: `Version ${version.version}`, theme: getChosenTheme() }),
    )
  }
  const mermaid = async () => {
    const { toMermaid } = await import('../../chart/toMermaid.ts')
    downloadFile(`${name}.mmd`, 'text/plain', toMermaid(parseChart(version.definition)))
  }
  const json = () =>
    downloadFile(`${name}.json`, 'application/json', JSON.stringify(JSON.parse(version.definition), null, 2))
  return (
    <p class="chart-tools">
      Export:
      <button type="button" class="quiet" onClick={() => void svg()}>
        SVG
      </button>
      <button type="button" class="quiet" onClick={json}>
        JSON
      </button>
      <button type="button" class="quiet" onClick={() => void mermaid()}>
        Mermaid
      </button>
    </p>
  )
}
