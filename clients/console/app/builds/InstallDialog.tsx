/** The link by which an iOS device installs an app over the air. */
import { graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { CopyableText } from '../parts/CopyableText.tsx'
import { Dialog } from '../parts/forms/Dialog.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'

const { artifacts: texts } = messages.builds

const installQuery = graphql(
  'query ($buildId: ID!) { buildArtifactLinks(buildId: $buildId) { artifactId installUrl installProblem } }',
)

interface InstallDialogProps {
  readonly buildId: string
  readonly artifactId: string
  readonly title: string
  onClose(): void
}

export function InstallDialog({ buildId, artifactId, title, onClose }: InstallDialogProps) {
  const { data, error } = useQuery(installQuery, { buildId })
  const link = data?.buildArtifactLinks.find((one) => one.artifactId === artifactId)
  return (
    <Dialog title={format(texts.installTitle, { name: title })} onClose={onClose}>
      {(close) => (
        <>
          {error && <ErrorMessage error={error} retriesAutomatically />}
          {data === undefined && !error && <Loading />}
          {data !== undefined && link === undefined && <p class="problem">{texts.installGone}</p>}
          {link?.installProblem && <p class="problem">{link.installProblem}</p>}
          {link?.installUrl && (
            <>
              <p>{texts.installHint}</p>
              <p>
                <a href={link.installUrl}>{texts.install}</a>
              </p>
              <CopyableText what={texts.installLink} text={link.installUrl} />
            </>
          )}
          <div class="buttons">
            <button type="button" class="secondary" onClick={close}>
              {texts.close}
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}
