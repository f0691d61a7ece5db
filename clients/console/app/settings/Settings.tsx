/** What is a person's own, and what is the server's. */
import { Missing } from '../views/Missing.tsx'

export function Settings({ section }: { readonly section: string }) {
  return <Missing what={`There is no ${section} here.`} />
}
