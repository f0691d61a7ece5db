/** The tokens and the cost of the ended runs of a plan or a session. Nothing if no run has ended. */
import { locale, messages } from '../messages.ts'

const texts = messages.work.usage

interface UsageProps {
  readonly usage: {
    readonly runCount: number
    readonly inputTokens: number
    readonly outputTokens: number
    readonly costs: readonly { readonly amount: number; readonly currency: string }[]
  }
}

const tokens = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })

export function Usage({ usage: { runCount, inputTokens, outputTokens, costs } }: UsageProps) {
  if (runCount === 0) return null
  return (
    <dl class="facts" aria-label={texts.label}>
      <div>
        <dt>{texts.input}</dt>
        <dd>{tokens.format(inputTokens)}</dd>
      </div>
      <div>
        <dt>{texts.output}</dt>
        <dd>{tokens.format(outputTokens)}</dd>
      </div>
      {costs.map(({ amount, currency }) => (
        <div key={currency}>
          <dt>{texts.cost}</dt>
          <dd>
            {new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 4 }).format(amount)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
