/** The images that a run changed in its worktree. Each is read when a user opens it. */
import { useState } from 'preact/hooks'
import { hasImageName } from '../../../../spec/worktrees/imageFormat.ts'
import { graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { messages } from '../messages.ts'
import { formatName } from '../parts/formatName.ts'
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

/** Shows nothing if the run changed no image. */
export function ChangedImages({ runId, worktreeId }: ChangedImagesProps) {
  const { data } = useQuery(imagesQuery, { id: runId })
  const changes = data?.run?.changes
  if (!changes) return null
  const { commit, commits, files } = changes
  const images = files.filter(({ path, content }) => content === 'BINARY' && hasImageName(path))
  if (images.length === 0) return null
  return (
    <section class="fleet-section" aria-labelledby="changed-images">
      <h2 id="changed-images">{texts.section}</h2>
      <p class="hint">{texts.sectionHint}</p>
      {images.map((file) => (
        <FoldedImage key={file.path} image={{ ...file, worktreeId, base: commit }} lastCommit={commits[0]?.sha} />
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
