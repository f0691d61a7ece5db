/** The coding CLIs of a machine with their versions and problems. */
import { messages } from '../messages.ts'
import { Badge } from '../parts/StatusBadge.tsx'
import { CliInstallList } from './CliInstallList.tsx'
import { type Cli, getCliProblem } from './describeClis.ts'

const texts = messages.machines

const signIns: Readonly<Record<string, string>> = {
  SIGNED_IN: texts.cli.signedIn,
  SIGNED_OUT: texts.cli.signedOut,
  UNKNOWN: texts.cli.signInUnknown,
}

export function CliTable({ clis }: { readonly clis: readonly (Cli & { readonly version: string | null })[] }) {
  return (
    <section class="fleet-section" aria-labelledby="clis">
      <h2 id="clis">{texts.sections.clis}</h2>
      {clis.length === 0 ? (
        <>
          <p class="hint">{texts.cli.none}</p>
          <CliInstallList />
        </>
      ) : (
        <div class="fleet-table">
          <table aria-label={texts.sections.clis}>
            <thead>
              <tr>
                <th scope="col">{texts.columns.clis}</th>
                <th scope="col">{texts.columns.version}</th>
                <th scope="col">{texts.columns.status}</th>
                <th scope="col" class="wide">
                  {texts.columns.signIn}
                </th>
              </tr>
            </thead>
            <tbody>
              {clis.map((cli) => (
                <tr key={cli.name}>
                  <td class="main-cell">{cli.name}</td>
                  <td>{cli.version}</td>
                  <td class="sentence">
                    {cli.healthy ? (
                      <Badge tone="good" label={texts.cli.available} />
                    ) : (
                      <Badge tone="failed" label={getCliProblem(cli) ?? texts.cli.unavailable} />
                    )}
                  </td>
                  <td class="wide">{signIns[cli.signIn]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
