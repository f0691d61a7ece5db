/** Creates an API key and shows it once. */
import { useEffect, useRef } from 'preact/hooks'
import { Asking } from '../parts/Asking.tsx'
import { Copy } from '../parts/Copy.tsx'
import { Field } from '../parts/Field.tsx'
import { tell } from './account.ts'

export interface MadeKey {
  readonly name: string | null
  readonly key?: string
}

const day = 86_400

const lifetimes = [
  ['', 'It has no end'],
  [String(7 * day), '7 days'],
  [String(30 * day), '30 days'],
  [String(90 * day), '90 days'],
  [String(365 * day), 'A year'],
] as const

export function NewKey({ close, made }: { close(): void; made(key: MadeKey): void }) {
  return (
    <Asking
      title="Make an API key"
      yes="Make it"
      close={close}
      doIt={async (given) => {
        const seconds = Number(given.get('expiresIn'))
        const name = String(given.get('name') ?? '').trim()
        made(await tell<MadeKey>('api-key/create', { name, ...(seconds > 0 ? { expiresIn: seconds } : {}) }))
      }}
    >
      <Field name="name" label="Name" hint="What will use it: nightly build, dashboard of the team." />
      <div class="field">
        <label for="expiresIn">Ends after</label>
        <select id="expiresIn" name="expiresIn">
          {lifetimes.map(([seconds, words]) => (
            <option key={seconds} value={seconds}>
              {words}
            </option>
          ))}
        </select>
      </div>
    </Asking>
  )
}

export function ShownKey({ made, close }: { readonly made: MadeKey; close(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const { key = '' } = made
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="shown">
      <div class="stack">
        <h2 id="shown">{made.name}</h2>
        <p>This is the key. It is shown this once: copy it now, and keep it where secrets are kept.</p>
        <Copy what="the key" text={key} />
        <p>Try it:</p>
        <Copy what="the line" text={curlOf(key)} />
        <div class="buttons">
          <button type="button" class="primary" onClick={() => dialog.current?.close()}>
            I have it
          </button>
        </div>
      </div>
    </dialog>
  )
}

function curlOf(key: string): string {
  return [
    `curl -s ${location.origin}/api/graphql`,
    `-H 'content-type: application/json'`,
    `-H 'X-API-Key: ${key}'`,
    `-d '{"query": "{ viewer { name keyName } }"}'`,
  ].join(' \\\n  ')
}
