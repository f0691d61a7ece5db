/** The page that installs an app on a phone, as a QR code and as a link. */
import { graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { CopyableText } from '../parts/CopyableText.tsx'
import { Dialog } from '../parts/forms/Dialog.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { QrCode } from '../parts/QrCode.tsx'

const { artifacts: texts } = messages.builds

const installQuery = graphql(
  'query ($buildId: ID!) { buildArtifactLinks(buildId: $buildId) { artifactId installPageUrl installProblem } }',
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
          {link?.installPageUrl && (
            <>
              <p>{texts.installHint}</p>
              <QrCode text={link.installPageUrl} label={format(texts.installTitle, { name: title })} />
              <p>
                <a href={link.installPageUrl}>{texts.install}</a>
              </p>
              <CopyableText what={texts.installLink} text={link.installPageUrl} />
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
