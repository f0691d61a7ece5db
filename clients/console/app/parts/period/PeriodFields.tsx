/** Selects the period that a page shows. It is in the address. */
import { format, messages } from '../../messages.ts'
import { setFilters } from '../../router.ts'
import { formatDay, type Period, type PeriodChoices, type PeriodProblem } from './period.ts'

const texts = messages.charts.period
const dayMs = 86_400_000

interface PeriodFieldsProps {
  readonly period: Period
  readonly choices: PeriodChoices
}

export function PeriodFields({ period, choices }: PeriodFieldsProps) {
  const { name, from, to, problem } = period
  return (
    <>
      <select aria-label={texts.label} value={name} onChange={({ currentTarget }) => selectPeriod(currentTarget.value)}>
        {choices.names.map((choice) => (
          <option key={choice} value={choice}>
            {texts[choice]}
          </option>
        ))}
      </select>
      {name === 'own' && (
        <>
          <DayField name="from" value={from} problem={problem} />
          <DayField name="to" value={to} problem={problem} />
        </>
      )}
    </>
  )
}

/** An own period begins as the last seven days. */
function selectPeriod(name: string): void {
  const isOwn = name === 'own'
  const now = Date.now()
  setFilters({ time: name, from: isOwn ? formatDay(now - 6 * dayMs) : '', to: isOwn ? formatDay(now) : '' })
}

interface DayFieldProps {
  readonly name: 'from' | 'to'
  readonly value: string
  readonly problem: PeriodProblem | undefined
}

function DayField({ name, value, problem }: DayFieldProps) {
  const own = problem?.field === name ? problem : undefined
  return (
    <div class="day-field">
      <label for={`period-${name}`}>{texts[name]}</label>
      <input
        type="date"
        id={`period-${name}`}
        value={value}
        aria-invalid={own !== undefined}
        aria-describedby={own && `period-${name}-problem`}
        onChange={({ currentTarget }) => setFilters({ [name]: currentTarget.value })}
      />
      {own && (
        <p id={`period-${name}-problem`} class="problem" role="alert">
          {describeProblem(own)}
        </p>
      )}
    </div>
  )
}

function describeProblem(problem: PeriodProblem): string {
  return problem.type === 'tooLong' ? format(texts.tooLong, problem) : texts[problem.type]
}
