/** Commands that send the first crash report and the first dSYMs of an app. */
import { formatParts, messages } from '../messages.ts'
import { CopyableText } from '../parts/CopyableText.tsx'
import { createDownloadCommand, createReportCommand, createUploadCommand, keyCommand } from './uploadCommands.ts'

const { guide: texts } = messages.apps

export function KeyHint() {
  const link = <a href="/settings/keys">{texts.keys}</a>
  return <p class="hint">{formatParts(texts.key, { command: <code>{keyCommand}</code>, link })}</p>
}

export function ClientDownload() {
  return (
    <>
      <p>
        {texts.download}. <span class="hint">{texts.needsNode}</span>
      </p>
      <CopyableText what={texts.commands.download} text={createDownloadCommand(location.origin)} />
    </>
  )
}

export function UploadGuide() {
  return (
    <div class="upload-guide">
      <KeyHint />
      <section>
        <h2>{texts.report}</h2>
        <p>{texts.reportHint}</p>
        <CopyableText what={texts.commands.report} text={createReportCommand(location.origin)} />
      </section>
      <section>
        <h2>{texts.dsyms}</h2>
        <p>{texts.dsymsHint}</p>
        <ClientDownload />
        <CopyableText what={texts.commands.upload} text={createUploadCommand(location.origin)} />
      </section>
    </div>
  )
}
