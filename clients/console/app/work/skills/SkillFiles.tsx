/** The files of a version of a skill: the instructions, and each other file, which the reader opens. */
import { skillManifest } from '../../../../../spec/work/skills/skillPath.ts'
import { requestGraphql } from '../../data/request.ts'
import { useAsyncData } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { downloadFile } from '../../parts/downloadFile.ts'
import { formatBytes } from '../../parts/formatBytes.ts'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { CodeBlock } from '../../runs/transcript/CodeBlock.tsx'
import { Markdown } from '../../runs/transcript/Markdown.tsx'
import { getInstructions } from './manifest.ts'
import { contentQuery, type SkillFile } from './skill.ts'

const texts = messages.skills

interface SkillFilesProps {
  readonly skillId: string
  readonly version: number
}

export function SkillFiles({ skillId, version }: SkillFilesProps) {
  const { data, error } = useAsyncData(`${skillId} version ${version}`, () =>
    requestGraphql(contentQuery, { id: skillId, version }),
  )
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  const files = data?.skillVersion?.files
  if (files === undefined) return <Loading />
  const manifest = files.find(({ path }) => path === skillManifest)
  return (
    <div class="skill-files">
      <div class="skill-text">
        <Markdown text={getInstructions(manifest?.text ?? '')} />
      </div>
      <ul class="file-list" aria-label={texts.files}>
        {files.map((file) => (
          <li key={file.path}>
            <details onToggle={(event) => event.stopPropagation()}>
              <summary>
                <code>{file.path}</code>{' '}
                <span class="hint">
                  {formatBytes(file.size)}
                  {file.executable && ` · ${texts.file.executable}`}
                </span>
              </summary>
              <FileContent file={file} />
            </details>
          </li>
        ))}
      </ul>
    </div>
  )
}

function FileContent({ file: { path, size, text, base64 } }: { readonly file: SkillFile }) {
  const name = path.split('/').at(-1) ?? path
  const download = () => downloadFile(name, 'application/octet-stream', text ?? decodeBase64(base64 ?? ''))
  return (
    <>
      {text === null ? (
        <p class="hint">{format(texts.file.binary, { size: formatBytes(size) })}</p>
      ) : (
        text !== '' && <CodeBlock code={text} language={getExtension(name)} />
      )}
      <button type="button" class="quiet" aria-label={`${texts.file.download}: ${path}`} onClick={download}>
        {texts.file.download}
      </button>
    </>
  )
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** The name of the language for colors. Empty if the file has none. */
function getExtension(name: string): string {
  return name.includes('.') ? (name.split('.').at(-1) ?? '') : ''
}
