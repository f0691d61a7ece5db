/** The problem of a field of the API that is a group of fields in the form. */
import { useFieldProblem } from '../../parts/forms/FormErrors.tsx'

export function ProblemOfGroup({ name }: { readonly name: string }) {
  const problem = useFieldProblem(name)
  return problem === '' ? null : <p class="problem">{problem}</p>
}
