/** The coverage reports of a build configuration in a form. */
import { coverageFormats } from '../../../../../spec/builds/buildEnums.ts'
import { format, messages } from '../../messages.ts'
import { ChoiceField, Field } from '../../parts/forms/Field.tsx'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { ProblemOfGroup } from '../../work/workflows/ProblemOfGroup.tsx'
import { createRowsStore } from '../../work/workflows/rowsStore.ts'
import type { Configuration } from './configuration.ts'

const texts = messages.buildConfigurations
const { removeFrom, remove } = messages.workflows.form
const formats = Object.fromEntries(coverageFormats.map((one) => [one, texts.formats[one]]))

type CoverageReport = Configuration['content']['coverageReports'][number]

export function CoverageReportRows({ reports }: { readonly reports: readonly CoverageReport[] }) {
  const [{ rows }, { trigger }] = useLocalStore(() => createRowsStore<CoverageReport>(reports))
  return (
    <fieldset class="form-rows" id="field-coverageReports" name="coverageReports" tabIndex={-1}>
      <legend>{texts.coverageReports}</legend>
      <p class="hint">{texts.coverageReportsHint}</p>
      {rows.map(({ key, value }, index) => (
        <div key={key} class="form-row">
          <ChoiceField
            name={`coverageReports.${index}.format`}
            label={texts.format}
            choices={formats}
            value={value.format}
          />
          <Field
            name={`coverageReports.${index}.pattern`}
            label={texts.pattern}
            value={value.pattern}
            placeholder="coverage/lcov.info"
          />
          <button
            type="button"
            class="quiet"
            aria-label={format(removeFrom, { number: index + 1, list: texts.coverageReports })}
            onClick={() => trigger.removed({ key })}
          >
            {remove}
          </button>
        </div>
      ))}
      <ProblemOfGroup name="coverageReports" />
      <button type="button" class="quiet" onClick={() => trigger.added({ value: { format: 'LCOV', pattern: '' } })}>
        {texts.addReport}
      </button>
    </fieldset>
  )
}
