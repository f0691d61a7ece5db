/** The server URLs: the origins in use, those that were detected, and a form for overrides. */
import { useRef, useState } from 'preact/hooks'
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useQuery } from '../data/useQuery.ts'
import { useSubscription } from '../data/useSubscription.ts'
import { format, messages } from '../messages.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { ScrollBox } from '../parts/ScrollBox.tsx'
import { ServerUrlForm, type ServerUrlOverrides } from './ServerUrlForm.tsx'
import { type ServerUrlSettings, serverUrlFragment } from './serverUrlSettings.ts'

const settingsQuery = graphql('{ serverUrlSettings { ...ServerUrlFields } }', [serverUrlFragment])
const changedSubscription = graphql('subscription { serverUrlSettingsChanged { revision } }')

const saveMutation = graphql(
  `mutation ($input: SaveServerUrlSettingsInput!) { saveServerUrlSettings(input: $input) {
    serverUrlSettings { ...ServerUrlFields }
  } }`,
  [serverUrlFragment],
)

const texts = messages.serverUrls

export function ServerUrls() {
  const { data, error, refresh } = useQuery(settingsQuery, {})
  useSubscription(
    changedSubscription,
    {},
    {
      onData: refresh,
      // A read finds changes from the time before the subscription.
      onStart: () => void refresh(),
    },
  )
  const settings = data?.serverUrlSettings
  return (
    <section class="group" aria-labelledby="server-urls">
      <h2 id="server-urls">{texts.title}</h2>
      <p class="note">{texts.note}</p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {settings === undefined && !error && <Loading />}
      {settings && <UrlTable settings={settings} />}
      {settings && <CurrentForm settings={settings} onSaved={refresh} />}
    </section>
  )
}

function UrlTable({ settings: { detected, effective } }: { readonly settings: ServerUrlSettings }) {
  const rows = [
    { kind: 'LOCAL', inUse: effective.localUrl, found: detected.localUrl },
    { kind: 'REMOTE', inUse: effective.remoteUrl, found: detected.remoteUrl },
    { kind: 'PROXY', inUse: effective.proxyUrl, found: detected.proxyUrl },
  ] as const
  return (
    <>
      <ScrollBox class="table" label={texts.title}>
        <table aria-label={texts.title}>
          <thead>
            <tr>
              <th scope="col">{texts.kind}</th>
              <th scope="col">{texts.inUse}</th>
              <th scope="col">{texts.detected}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ kind, inUse, found }) => (
              <tr key={kind}>
                <th scope="row">
                  {texts.kinds[kind]} <span class="hint">{texts.kindHints[kind]}</span>
                </th>
                <td>
                  <Origin url={inUse} /> {kind === effective.defaultKind && <span class="hint">{texts.isDefault}</span>}
                </td>
                <td>
                  <Origin url={found} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {detected.lanUrls.length > 1 && (
        <p class="hint">{format(texts.lan, { addresses: detected.lanUrls.join(', ') })}</p>
      )}
    </>
  )
}

function Origin({ url }: { readonly url: string | null }) {
  return url === null ? <span class="hint">{texts.none}</span> : <code>{url}</code>
}

interface CurrentFormProps {
  readonly settings: ServerUrlSettings
  onSaved(): void
}

/** The form shows the current values until the user edits it. Then it is kept, and its save is refused if the values have changed. */
function CurrentForm({ settings, onSaved }: CurrentFormProps) {
  const [base, setBase] = useState(settings)
  const [formNumber, setFormNumber] = useState(0)
  const [isSaving, setIsSaving] = useState(false)
  const [isSaved, setIsSaved] = useState(false)
  /** The edits since the form has shown `base`. */
  const editCount = useRef(0)
  const showValues = (values: ServerUrlSettings) => {
    editCount.current = 0
    setBase(values)
    setFormNumber((number) => number + 1)
  }
  // A change that arrives during a save is probably the saved one.
  const isOutdated = !isSaving && settings.revision > base.revision
  if (isOutdated && editCount.current === 0) showValues(settings)
  const save = async (overrides: ServerUrlOverrides) => {
    const countAtSave = editCount.current
    setIsSaved(false)
    setIsSaving(true)
    try {
      const input = { ...overrides, expectedRevision: base.revision }
      const { saveServerUrlSettings: saved } = await requestGraphql(saveMutation, { input })
      const isEditedSince = editCount.current > countAtSave
      if (isEditedSince) setBase(saved.serverUrlSettings)
      else showValues(saved.serverUrlSettings)
      setIsSaved(!isEditedSince)
      onSaved()
    } finally {
      setIsSaving(false)
    }
  }
  return (
    <>
      {isOutdated && editCount.current > 0 && (
        <p class="notice" role="status">
          {texts.changed}{' '}
          <button type="button" class="quiet" onClick={() => showValues(settings)}>
            {texts.reload}
          </button>
        </p>
      )}
      <ServerUrlForm
        key={formNumber}
        settings={base}
        onEdit={() => {
          editCount.current++
          setIsSaved(false)
        }}
        onSave={save}
      />
      <p class="hint" role="status">
        {isSaved && texts.saved}
      </p>
    </>
  )
}
