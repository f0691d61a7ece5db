/** The machines with the longest use in a time. */
import { insightsAgentsMax } from '../../../../spec/runs/insights.ts'
import { format, messages } from '../messages.ts'
import { countUnit, durationUnit } from '../parts/charts/chartUnits.ts'
import { ScrollBox } from '../parts/ScrollBox.tsx'
import type { Insights } from './insightsFigures.ts'

const { machines: texts, figures, machine } = messages.insights

export function MachineUse({ agents }: { readonly agents: Insights['agents'] }) {
  if (agents.length === 0) return null
  return (
    <section class="machine-use" aria-labelledby="by-machine">
      <h2 id="by-machine">{texts.title}</h2>
      {agents.length === insightsAgentsMax && <p class="hint">{format(texts.note, { count: insightsAgentsMax })}</p>}
      <ScrollBox class="table" label={texts.title}>
        <table aria-label={texts.title}>
          <thead>
            <tr>
              <th scope="col">{machine}</th>
              <th scope="col">{figures.ended}</th>
              <th scope="col">{figures.busy}</th>
            </tr>
          </thead>
          <tbody>
            {agents.map(({ agentId, name, endedCount, busyMs }) => (
              <tr key={agentId}>
                <th scope="row">{name === null ? texts.removed : <a href={`/machines/${agentId}`}>{name}</a>}</th>
                <td>{countUnit.format(endedCount)}</td>
                <td>{durationUnit.format(busyMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  )
}
