/** The columns of a table of binary images. */
import { messages } from '../../messages.ts'
import { ForeignText } from '../../parts/ForeignText.tsx'
import type { Column } from '../../parts/lists/ObjectTable.tsx'

const texts = messages.dsyms

interface BinaryImage {
  readonly name: string
  readonly uuid: string
  readonly arch: string
}

export const imageColumns: readonly Column<BinaryImage>[] = [
  { name: texts.image, render: ({ name }) => <ForeignText text={name} /> },
  { name: 'UUID', render: ({ uuid }) => <code class="uuid">{uuid}</code> },
  { name: texts.architecture, isWide: true, render: ({ arch }) => <code>{arch}</code> },
]
