/** The images that a run changed in its worktree. Each is read when a user opens it. */
import { useState } from 'preact/hooks'
import { hasImageName } from '../../../../spec/worktrees/imageFormat.ts'
import { graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { messages } from '../messages.ts'
import { formatName } from '../parts/formatName.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { ImageDiff } from './ImageDiff.tsx'
import type { ChangedImage } from './imageRequests.ts'

const texts = messages.imageDiffs

const imagesQuery = graphql(`query ($id: ID!) { run(id: $id) { changes {
  commit commits { sha } files { path oldPath status content }
} } }`)

interface ChangedImagesProps {
  readonly runId: string
  readonly worktreeId: string
}

/** Shows nothing if the run changed no image. If that could not be read, it shows the error. */
export function ChangedImages({ runId, worktreeId }: ChangedImagesProps) {
  const { data, error } = useQuery(imagesQuery, { id: runId })
  const changes = data?.run?.changes
  const images = changes?.files.filter(({ path, content }) => content === 'BINARY' && hasImageName(path)) ?? []
  if (images.length === 0 && !error) return null
  return (
    <section class="fleet-section" aria-labelledby="changed-images">
      <h2 id="changed-images">{texts.section}</h2>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {changes && images.length > 0 && <p class="hint">{texts.sectionHint}</p>}
      {changes &&
        images.map((file) => (
          <FoldedImage
            key={file.path}
            image={{ ...file, worktreeId, base: changes.commit }}
            lastCommit={changes.commits[0]?.sha}
          />
        ))}
    </section>
  )
}

interface FoldedImageProps {
  readonly image: ChangedImage
  readonly lastCommit: string | undefined
}

function FoldedImage({ image, lastCommit }: FoldedImageProps) {
  const { path, oldPath, status } = image
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details class="changed-file" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <span class="path">{oldPath === null ? path : `${oldPath} → ${path}`}</span>
        <span class="hint">{formatName(status)}</span>
      </summary>
      {isOpen && <ImageDiff image={image} lastCommit={lastCommit} />}
    </details>
  )
}
