/** One command: its template, its arguments and its versions, and what is done with it. */

import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useAsyncData, useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ObjectTable } from '../../parts/lists/ObjectTable.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { useDialog } from '../../state/dialogStore.ts'
import { ArchiveButton } from '../library/ArchiveButton.tsx'
import { Scope } from '../library/Scope.tsx'
import { authorFragment, VersionHistory } from '../library/VersionHistory.tsx'
import { archiveMutation, type Command, commandFragment, unarchiveMutation } from './command.ts'
import { RunCommandDialog } from './RunCommandDialog.tsx'
import { TemplateText } from './TemplateText.tsx'

const texts = messages.commands

const commandQuery = graphql('query ($id: ID!) { command(id: $id) { ...CommandFields } }', [commandFragment])
const versionsQuery = graphql(
  `query ($id: ID!, $after: String) { command(id: $id) { versions(first: 20, after: $after) {
    totalCount edges { cursor node { version createdAt author { ...AuthorFields } } }
  } } }`,
  [authorFragment],
)
const contentQuery = graphql(`query ($id: ID!, $after: String) { command(id: $id) { versions(first: 1, after: $after) {
  nodes { kind template arguments { name description type choices default required } }
} } }`)

export function CommandPage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(commandQuery, { id })
  return (
    <ObjectPage
      object={data?.command}
      error={error}
      title={[data?.command?.name, messages.work.tabs.commands]}
      notFoundMessage={format(texts.noSuchCommand, { id })}
      crumbs={<a href="/commands">{messages.work.tabs.commands}</a>}
    >
      {(command) => <CommandView command={command} refresh={refresh} />}
    </ObjectPage>
  )
}

interface CommandViewProps {
  readonly command: Command
  refresh(): void
}

function CommandView({ command, refresh }: CommandViewProps) {
  const { id, name, description, kind, status, version, repository, updatedAt } = command
  useOnActorTransition(id, refresh)
  const { dialog, open, close } = useDialog<'run'>()
  return (
    <>
      <div class="heading-row">
        <h1>{name}</h1>
        {status === 'ACTIVE' && (
          <ActionButton look="primary" onClick={() => open('run')}>
            {texts.run}
          </ActionButton>
        )}
      </div>
      <p class="lead">
        <StatusBadge status={status} />
        <span>{texts.kinds[kind]}</span>
        <Scope repository={repository} />
        <span>{format(messages.work.versionNumber, { number: version })}</span>
        <span>
          {messages.work.updated} <RelativeTime at={updatedAt} />
        </span>
        <a href={`/actors/${id}`}>{messages.work.lifecycle}</a>
      </p>
      {description !== '' && <p>{description}</p>}
      <div class="run-actions">
        {status === 'ACTIVE' && (
          <a class="quiet" href={`/commands/${id}/edit`}>
            {texts.edit}
          </a>
        )}
        <ArchiveButton
          name={name}
          isArchived={status === 'ARCHIVED'}
          texts={texts}
          onArchive={() => requestGraphql(archiveMutation, { id })}
          onUnarchive={() => requestGraphql(unarchiveMutation, { id })}
        />
      </div>
      <h2>{texts.template}</h2>
      <TemplateText kind={kind} text={command.template} />
      <h2>{texts.arguments}</h2>
      <ArgumentTable declared={command.arguments} />
      <VersionHistory
        key={version}
        id={`${id} ${version}`}
        readPage={async (after) => (await requestGraphql(versionsQuery, { id, after })).command?.versions}
        renderContent={(number, after) => <VersionContent commandId={id} version={number} after={after} />}
      />
      {dialog && <RunCommandDialog command={command} onClose={close} />}
    </>
  )
}

const form = messages.workflows.form

function ArgumentTable({ declared }: { readonly declared: Command['arguments'] }) {
  if (declared.length === 0) return <p class="hint">{texts.noArguments}</p>
  return (
    <ObjectTable
      label={texts.arguments}
      items={declared}
      getId={({ name }) => name}
      columns={[
        {
          name: texts.name,
          render: ({ name, description }) => (
            <>
              <code>{name}</code>
              {description !== '' && <p class="hint">{description}</p>}
            </>
          ),
        },
        {
          name: form.type,
          render: ({ type, choices }) => (choices.length === 0 ? form.types[type] : choices.join(', ')),
        },
        {
          name: form.default,
          render: ({ required, default: value }) => (required ? texts.required : value === null ? '–' : String(value)),
        },
      ]}
    />
  )
}

interface VersionContentProps {
  readonly commandId: string
  readonly version: number
  readonly after: string | null
}

function VersionContent({ commandId, version, after }: VersionContentProps) {
  const { data, error } = useAsyncData(`${commandId} version ${version}`, () =>
    requestGraphql(contentQuery, { id: commandId, after }),
  )
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  const content = data?.command?.versions.nodes[0]
  if (content === undefined) return <Loading />
  return (
    <div class="version-content">
      <TemplateText kind={content.kind} text={content.template} />
      <ArgumentTable declared={content.arguments} />
    </div>
  )
}
