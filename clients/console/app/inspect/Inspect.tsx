/** Shows a lifecycle in Stately's inspector, for developers of its machine. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Definitions, Step } from '../../../inspect/translate.ts'
import { Refusal } from '../data/ask.ts'
import { Asking } from '../parts/Asking.tsx'
import type { Inspection } from './inspection.ts'

/** The default address of the package. */
const statelys = 'https://stately.ai/inspect'

interface InspectProps {
  readonly id: string
  readonly steps: readonly Step[]
  /** Whether the transitions are all that the page keeps. */
  readonly whole: boolean
  readonly definitions: Definitions
}

interface Running {
  readonly inspection: Inspection
  readonly host: string
}

export function Inspect({ id, steps, whole, definitions }: InspectProps) {
  const [asking, setAsking] = useState(false)
  const [running, setRunning] = useState<Running>()
  const [line, setLine] = useState<'waiting' | 'live' | 'closed'>()
  const program = useRef<Promise<typeof import('./inspection.ts')>>(undefined)
  useEffect(() => {
    if (whole) running?.inspection.tell(steps, definitions)
  }, [running, whole, steps, definitions])
  useEffect(() => () => running?.inspection.stop(), [running])

  const ask = () => {
    // Loaded now, so that the click can open the window at once. Browsers block windows that no click opened.
    program.current = import('./inspection.ts')
    program.current.catch(() => {})
    setAsking(true)
  }
  const begin = async (text: string) => {
    const address = addressIn(text)
    const { openInspection } = (await program.current) ?? (await import('./inspection.ts'))
    const closed = () => {
      setRunning(undefined)
      setLine('closed')
    }
    const inspection = openInspection(id, address, () => setLine('live'), closed)
    setLine('waiting')
    setRunning({ inspection, host: address.host })
  }
  const stop = () => {
    setRunning(undefined)
    setLine(undefined)
  }
  return (
    <>
      <div class="exports">
        <button
          type="button"
          class="quiet"
          disabled={!whole || definitions.size === 0}
          onClick={() => (running === undefined ? ask() : stop())}
        >
          {running === undefined ? 'Inspect with Stately' : 'Stop telling the inspector'}
        </button>
        <span class="hint" role="status">
          {line === 'waiting' && `Waiting for ${running?.host} to answer …`}
          {line === 'live' && `${running?.host} is told up to step ${steps.at(-1)?.sequence}.`}
          {line === 'closed' && 'Its window was closed.'}
        </span>
      </div>
      {asking && <AskInspect begin={begin} close={() => setAsking(false)} />}
    </>
  )
}

function AskInspect({ begin, close }: { begin(address: string): Promise<void>; close(): void }) {
  const [address, setAddress] = useState(statelys)
  const host = urlOf(address)?.host || 'the address below'
  return (
    <Asking
      title="Inspect with Stately"
      yes="Open it"
      close={close}
      doIt={async (given) => await begin(String(given.get('address')))}
    >
      <p>
        The steps of this actor are given to a page of <b>{host}</b>, which opens in another window of this browser:
        those that are here, and each new one until you leave this page or close that window. They are what the journal
        shows: events with what they carry, states, and what has changed.
      </p>
      <div class="field">
        <label for="inspector-address">
          Address <span class="hint">of the inspector: Stately’s own, or one that you host</span>
        </label>
        <input
          id="inspector-address"
          name="address"
          type="url"
          required
          maxLength={2_000}
          autoComplete="off"
          value={address}
          onInput={({ currentTarget }) => setAddress(currentTarget.value)}
        />
      </div>
    </Asking>
  )
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** @throws Refusal if it is not the address of a page */
function addressIn(text: string): URL {
  const url = urlOf(text)
  if (url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:')) return url
  throw new Refusal('BAD_USER_INPUT', 'The address of an inspector begins with https:// or http://.', {
    field: 'address',
  })
}
