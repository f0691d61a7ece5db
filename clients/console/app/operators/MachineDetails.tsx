/** The facts of a machine: its states, what each waits for, its deadlines and its events, and the chart for download. */
import { readPreferences } from '../../../../spec/pages/preferences.ts'
import { formatDelay } from '../../chart/formatDelay.ts'
import { type Chart, type ChartNode, isWithin } from '../../chart/model.ts'
import { parseChart } from '../../chart/parseChart.ts'
import type { ChartTheme } from '../../chart/styleSheet.ts'
import { loadChartLayout } from '../chart/chartLayouts.ts'
import { format, formatParts, messages } from '../messages.ts'
import { downloadFile } from '../parts/downloadFile.ts'
import { formatKind } from '../parts/formatName.ts'
import { RelativeTime } from '../parts/RelativeTime.tsx'

const { machine: texts } = messages.stateMaps

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
      <summary>{texts.title}</summary>
      <ChartDownloads kind={kind} version={newest} />
      <section class="table" aria-label={texts.states}>
        <table>
          <thead>
            <tr>
              <th>{texts.state}</th>
              <th>{texts.waitsFor}</th>
              <th>{texts.deadlines}</th>
              <th>{texts.events}</th>
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
      <h2>{texts.versions}</h2>
      <ul>
        {versions.toReversed().map(({ version, hash, firstSeenAt }) => (
          <li key={hash}>
            {version} <code>{hash}</code>{' '}
            <span class="hint">{formatParts(texts.firstUsed, { time: <RelativeTime at={firstSeenAt} /> })}</span>
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
  if (node.terminal) return texts.finalState
  const paths = listPathsUpTo(chart, node)
  const deadlines = chart.edges.filter(
    ({ source, event, target }) => paths.includes(source) && event.startsWith('xstate.after') && target !== null,
  )
  const { lease, unbounded, expected } = node.meta
  const parts = [
    ...deadlines.map(({ label, target }) => `${label} → ${target}`),
    lease && format(texts.lease, { text: lease }),
    unbounded && format(texts.noDeadline, { reason: unbounded }),
    expected !== undefined && format(texts.expected, { duration: formatDelay(expected) }),
  ]
  return [...new Set(parts.filter(Boolean))].join('; ')
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
      renderChart(chart, {
        title: formatKind(kind),
        subtitle: format(texts.version, { version: String(version.version) }),
        theme: getChosenTheme(),
      }),
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
      {texts.export}:
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
