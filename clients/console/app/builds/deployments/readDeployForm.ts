/** Converts the form of a deployment to its request. The value of a destination is its kind, a space, and its ID. */
import type { EnumValue } from '../../data/graphql.ts'

type Kind = EnumValue<'BuildDestinationKind'>

export const toDestinationValue = ({ kind, id }: { readonly kind: Kind; readonly id: string | null }): string =>
  id === null ? kind : `${kind} ${id}`

export function readDeployForm(formData: FormData) {
  const value = String(formData.get('destination') ?? '')
  const [kind = '', id] = value.includes(' ')
    ? [value.slice(0, value.indexOf(' ')), value.slice(value.indexOf(' ') + 1)]
    : [value]
  const artifactId = String(formData.get('artifactId') ?? '')
  return {
    targetAgentId: String(formData.get('targetAgentId') ?? ''),
    destination: { kind: kind as Kind, ...(id === undefined ? {} : { id }) },
    ...(artifactId === '' ? {} : { artifactId }),
  }
}
