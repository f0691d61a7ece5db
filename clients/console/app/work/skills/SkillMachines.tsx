/** The machines, and the version of a skill that each has stored, updated live. */
import { graphql } from '../../data/graphql.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, formatNumber, messages } from '../../messages.ts'
import { ObjectTable } from '../../parts/lists/ObjectTable.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'

const texts = messages.skills.machines

const machinesQuery = graphql(`query ($id: ID!) { skill(id: $id) { agents(first: 100) {
  totalCount nodes { agentId version syncedAt problem agent { name } }
} } }`)

export function SkillMachines({ skillId }: { readonly skillId: string }) {
  const { data, error, refresh } = useQuery(machinesQuery, { id: skillId }, { pauseMs: 2_000 })
  useOnTransition('AGENT', refresh)
  const { nodes, totalCount = 0 } = data?.skill?.agents ?? {}
  return (
    <>
      <h2>
        {texts.title} {nodes && <span class="count">{formatNumber(totalCount)}</span>}
      </h2>
      <p class="hint">{texts.note}</p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {nodes === undefined && !error && <Loading />}
      {nodes?.length === 0 && <p class="hint">{texts.none}</p>}
      {nodes && nodes.length > 0 && (
        <ObjectTable
          label={texts.title}
          items={nodes}
          getId={({ agentId }) => agentId}
          columns={[
            {
              name: texts.machine,
              render: ({ agentId, agent, problem }) => (
                <>
                  <a class="item-name" href={`/machines/${agentId}`}>
                    {agent.name}
                  </a>
                  {problem !== null && <p class="problem">{problem}</p>}
                </>
              ),
            },
            {
              name: texts.stored,
              render: ({ version }) =>
                version === null ? texts.notStored : format(messages.work.versionNumber, { number: version }),
            },
            {
              name: texts.since,
              render: ({ syncedAt }) => (syncedAt === null ? '–' : <RelativeTime at={syncedAt} />),
            },
          ]}
        />
      )}
      {nodes && totalCount > nodes.length && (
        <p class="hint">{format(messages.parts.firstOf, { shown: nodes.length, total: totalCount })}</p>
      )}
    </>
  )
}
