/** How the tests start each stock CLI: over ACP, against a model server on loopback, with a home folder of its own. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ModelToolCall, WireName } from './model/turns.ts'

export interface CliLaunch {
  readonly file: string
  readonly args: readonly string[]
  /** The whole environment. Nothing is inherited but `PATH`. */
  readonly env: Readonly<Record<string, string>>
}

export interface StockCli {
  readonly name: 'qwen' | 'claude' | 'gemini'
  readonly wire: WireName
  /** The tool calls of a model that writes a file. */
  writeFile(path: string, content: string): ModelToolCall
  runCommand(command: string): ModelToolCall
  /** The tool call of a model that reads the instructions of a skill. */
  useSkill(name: string): ModelToolCall
  /** The tool calls, one in each reply, with which a model presents a plan in plan mode. */
  presentPlan(plan: string): readonly ModelToolCall[]
  /** Writes the settings of the CLI into its home folder. */
  prepare(modelUrl: string, home: string): CliLaunch
}

/** Apart from this folder, so that its files import the project's ACP library and not that of a CLI. */
export const packages = join(import.meta.dirname, 'packages')
const modules = join(packages, 'node_modules')

export const qwen: StockCli = {
  name: 'qwen',
  wire: 'OPENAI',
  writeFile: (path, content) => ({ name: 'write_file', input: { file_path: path, content } }),
  runCommand: (command) => ({
    name: 'run_shell_command',
    input: { command, description: 'Run it', is_background: false },
  }),
  useSkill: (skill) => ({ name: 'skill', input: { skill } }),
  presentPlan: (plan) => [{ name: 'exit_plan_mode', input: { plan } }],
  prepare(modelUrl, home) {
    writeSettings(home, '.qwen/settings.json', {
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: 'openai' } },
    })
    return launch('@qwen-code/qwen-code/cli.js', ['--acp'], home, {
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      OPENAI_API_KEY: 'dummy',
      OPENAI_MODEL: 'scripted',
    })
  },
}

export const claude: StockCli = {
  name: 'claude',
  wire: 'ANTHROPIC',
  writeFile: (path, content) => ({ name: 'Write', input: { file_path: path, content } }),
  runCommand: (command) => ({ name: 'Bash', input: { command, description: 'Run it' } }),
  useSkill: (skill) => ({ name: 'Skill', input: { skill } }),
  presentPlan: (plan) => [{ name: 'ExitPlanMode', input: { plan } }],
  // The adapter runs the `cli.js` of its dependency `@anthropic-ai/claude-agent-sdk`, so no `claude` is installed.
  prepare: (modelUrl, home) =>
    launch('@zed-industries/claude-code-acp/dist/index.js', [], home, {
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
    }),
}

export const gemini: StockCli = {
  name: 'gemini',
  wire: 'GEMINI',
  writeFile: (path, content) => ({ name: 'write_file', input: { file_path: path, content } }),
  runCommand: (command) => ({ name: 'run_shell_command', input: { command, description: 'Run it' } }),
  useSkill: (name) => ({ name: 'activate_skill', input: { name } }),
  // The plan is a file in the CLI's own folder.
  presentPlan: (plan) => [
    { name: 'write_file', input: { file_path: 'plan.md', content: plan } },
    { name: 'exit_plan_mode', input: { plan_filename: 'plan.md' } },
  ],
  prepare(modelUrl, home) {
    writeSettings(home, '.gemini/settings.json', {
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: 'gemini-api-key' } },
    })
    return launch('@google/gemini-cli/bundle/gemini.js', ['--acp', '--model', 'gemini-2.5-pro'], home, {
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_API_KEY: 'dummy',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    })
  },
}

function launch(script: string, args: readonly string[], home: string, env: Record<string, string>): CliLaunch {
  const path = process.env.PATH ?? ''
  return { file: process.execPath, args: [join(modules, script), ...args], env: { PATH: path, HOME: home, ...env } }
}

function writeSettings(home: string, path: string, settings: object): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), JSON.stringify(settings))
}
