/** The coding CLIs that an agent finds by itself, and how each is installed. `docs/agent.md` has the same table. */
import { messages } from '../messages.ts'

const installations = [
  ['claude', 'npm install --global @agentclientprotocol/claude-agent-acp'],
  ['codex', 'npm install --global @agentclientprotocol/codex-acp'],
  ['gemini', 'npm install --global @google/gemini-cli'],
  ['qwen', 'npm install --global @qwen-code/qwen-code'],
  ['cursor', 'https://cursor.com/cli'],
  ['opencode', 'https://opencode.ai'],
  ['goose', 'https://block.github.io/goose'],
] as const

export function CliInstallList() {
  return (
    <div class="cli-install">
      <p>{messages.machines.cli.install}</p>
      <ul>
        {installations.map(([name, how]) => (
          <li key={name}>
            <strong>{name}</strong> <code>{how}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}
