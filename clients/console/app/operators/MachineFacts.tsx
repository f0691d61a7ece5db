/** The facts of a machine: its states, what each waits for, its deadlines and its events, and the chart for download. */
import { duration } from '../../chart/duration.ts'
import type { Chart, ChartNode } from '../../chart/model.ts'
import { parseChart } from '../../chart/parse.ts'
import { layoutOf } from '../chart/layouts.ts'
import { Moment } from '../parts/Moment.tsx'
import { kindWords } from '../parts/nameWords.ts'
import { save } from '../parts/save.ts'

export interface Version {
  readonly version: number
  readonly hash: string
  readonly definition: string
  readonly firstSeenAt: string
}

export function MachineFacts({ kind, versions }: { readonly kind: string; readonly versions: readonly Version[] }) {
  const newest = versions.at(-1)
  if (newest === undefined) return null
  const chart = parseChart(newest.definition)
  const leaves = chart.nodes.filter(({ children }) => children.length === 0)
  return (
    <details class="facts">
      <summary>The machine</summary>
      <Exports kind={kind} version={newest} />
      <section class="table" aria-label="Its states">
        <table>
          <thead>
            <tr>
              <th>State</th>
              <th>Waits for</th>
              <th>Ends</th>
              <th>Takes</th>
            </tr>
          </thead>
          <tbody>
            {leaves.map((node) => (
              <tr key={node.path}>
                <th scope="row">
                  {node.path} <span class="hint">{node.label}</span>
                </th>
                <td>{node.meta.waitsFor}</td>
                <td>{endsOf(chart, node)}</td>
                <td>{takesOf(chart, node).join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <h2>Versions that ran</h2>
      <ul>
        {versions.toReversed().map(({ version, hash, firstSeenAt }) => (
          <li key={hash}>
            {version} <code>{hash}</code> <span class="hint">since</span> <Moment at={firstSeenAt} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function around(chart: Chart, { path }: ChartNode): readonly string[] {
  return chart.nodes.map((node) => node.path).filter((one) => one === '' || path === one || path.startsWith(`${one}.`))
}

function endsOf(chart: Chart, node: ChartNode): string {
  if (node.terminal) return 'never: nothing leaves it'
  const outer = around(chart, node)
  const deadlines = chart.edges.filter(
    ({ source, event, target }) => outer.includes(source) && event.startsWith('xstate.after') && target !== null,
  )
  const { lease, unbounded, expected } = node.meta
  const words = [
    ...deadlines.map(({ label, target }) => `${label} → ${target}`),
    lease && `lease: ${lease}`,
    unbounded && `no deadline: ${unbounded}`,
    expected !== undefined && `should take ${duration(expected)}`,
  ]
  return [...new Set(words.filter(Boolean))].join('; ')
}

function takesOf(chart: Chart, node: ChartNode): readonly string[] {
  if (node.terminal) return []
  const outer = around(chart, node)
  const events = chart.edges.filter(({ source, event }) => outer.includes(source) && !/^(xstate\.|$)/.test(event))
  return [...new Set(events.map(({ event }) => event))].sort()
}

function Exports({ kind, version }: { readonly kind: string; readonly version: Version }) {
  const name = `${kind.toLowerCase().replaceAll('_', '-')}-${version.version}`
  const svg = async () => {
    const { renderChart } = await import('../../chart/render.ts')
    const chart = await layoutOf(version.hash, version.definition)
    save(
      `${name}.svg`,
      'image/svg+xml',
      renderChart(chart, { title: kindWords(kind), subtitle: `Version ${version.version}` }),
    )
  }
  const mermaid = async () => {
    const { mermaidOf } = await import('../../chart/mermaid.ts')
    save(`${name}.mmd`, 'text/plain', mermaidOf(parseChart(version.definition)))
  }
  const json = () => save(`${name}.json`, 'application/json', JSON.stringify(JSON.parse(version.definition), null, 2))
  return (
    <p class="exports">
      Take it along as
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
