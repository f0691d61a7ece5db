/** The images of a crash report whose dSYM is missing, and the commands that upload it. */
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { useOnChange } from '../../data/useOnChange.ts'
import { usePagedConnection } from '../../data/usePagedList.ts'
import { format, messages } from '../../messages.ts'
import { CopyableText } from '../../parts/CopyableText.tsx'
import { ObjectTable } from '../../parts/lists/ObjectTable.tsx'
import { ShowMore } from '../../parts/lists/ShowMore.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { imageColumns } from '../dsyms/imageColumns.tsx'
import { ClientDownload, KeyHint } from '../UploadGuide.tsx'
import { createUploadByUuidCommand, createUploadCommand } from '../uploadCommands.ts'

const { missing: texts } = messages.crashReports
const { guide: guideTexts } = messages.apps

const missingQuery = graphql(`query ($after: String, $id: ID!) {
  crashReport(id: $id) { missingImages(first: 20, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { name uuid arch }
  } }
}`)

type MissingImage = NonNullable<ResultOf<typeof missingQuery>['crashReport']>['missingImages']['nodes'][number]

const getId = ({ uuid }: MissingImage): string => uuid

interface MissingDsymsProps {
  readonly id: string
  readonly count: number
  readonly symbolState: string
}

export function MissingDsyms({ id, count, symbolState }: MissingDsymsProps) {
  const list = usePagedConnection(missingQuery, ({ crashReport }) => crashReport?.missingImages, { id }, getId)
  useOnChange(symbolState, list.refreshAll)
  const { items, error } = list
  return (
    <section class="missing-dsyms" aria-labelledby="missing-dsyms">
      <h2 id="missing-dsyms">{texts.title}</h2>
      <p>{format(texts.hint, { count })}</p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items !== undefined && items.length > 0 && (
        <>
          <ObjectTable label={texts.title} items={items} columns={imageColumns} getId={getId} />
          <ShowMore shown={items.length} list={list} />
          <UploadCommands uuids={items.map(getId)} />
        </>
      )}
    </section>
  )
}

function UploadCommands({ uuids }: { readonly uuids: readonly string[] }) {
  return (
    <div class="upload-guide">
      <p>{texts.fromMac}</p>
      <CopyableText what={guideTexts.commands.uploadByUuid} text={createUploadByUuidCommand(location.origin, uuids)} />
      <p>{texts.fromBuild}</p>
      <CopyableText what={guideTexts.commands.upload} text={createUploadCommand(location.origin)} />
      <details class="disclosure">
        <summary>{guideTexts.prepare}</summary>
        <KeyHint />
        <ClientDownload />
      </details>
    </div>
  )
}
