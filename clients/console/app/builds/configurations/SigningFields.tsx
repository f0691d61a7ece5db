/** The signing assets of a build configuration in a form. */
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useDataOnce } from '../../data/useDataOnce.ts'
import { messages } from '../../messages.ts'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { ProblemOfGroup } from '../../work/workflows/ProblemOfGroup.tsx'
import { ExpiryBadge } from '../signing/ExpiryBadge.tsx'

const texts = messages.signing

/** More are not offered. An installation has some dozens. */
const assetsQuery = graphql(`{
  signingAssets(first: 100, statuses: [ACTIVE]) { nodes { id name kind expiresAt } }
}`)

interface SigningFieldsProps {
  readonly chosen: readonly string[]
  readonly isForRuns: boolean
}

export function SigningFields({ chosen, isForRuns }: SigningFieldsProps) {
  const { data, error } = useDataOnce('signing assets of the form', () => requestGraphql(assetsQuery, {}))
  const assets = data?.signingAssets.nodes
  return (
    <fieldset class="form-rows" id="field-signingAssets" name="signingAssets" tabIndex={-1}>
      <legend>{texts.title}</legend>
      <p class="hint">{texts.choiceHint}</p>
      {error && <ErrorMessage error={error} />}
      {assets === undefined && !error && <Loading />}
      {assets?.length === 0 && <p class="hint">{texts.none}</p>}
      {/* They stay chosen while they are read. */}
      {assets === undefined && chosen.map((id) => <input key={id} type="hidden" name="signingAsset" value={id} />)}
      {assets?.map(({ id, name, kind, expiresAt }) => (
        <label key={id} class="check">
          <input type="checkbox" name="signingAsset" value={id} defaultChecked={chosen.includes(id)} />
          <span>
            {name} <span class="hint">{texts.kinds[kind]}</span> <ExpiryBadge at={expiresAt} />
          </span>
        </label>
      ))}
      <ProblemOfGroup name="signingAssets" />
      <label class="check">
        <input
          type="checkbox"
          name="signingForRuns"
          value="true"
          defaultChecked={isForRuns}
          aria-describedby="signing-for-runs-hint"
        />
        <span>{texts.forRuns}</span>
      </label>
      <p id="signing-for-runs-hint" class="hint">
        {texts.forRunsHint}
      </p>
    </fieldset>
  )
}
