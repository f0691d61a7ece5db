/**
 * The coding CLIs that the agent finds by itself (`--cli detect`), in the order in which they are offered. Each uses the Agent Client
 * Protocol. `docs/agent.md` has the same table for people.
 */

/** A hint at a credential of a CLI. The agent looks whether it exists, and never reads it. */
export type Sign =
  /** All of these environment variables are set. */
  | { readonly variables: readonly string[] }
  /** The file exists. Its path begins in the CLI's folder. */
  | { readonly file: string }
  /** This platform has a keychain in which the CLI keeps credentials. The agent does not open it. */
  | { readonly keychainOf: NodeJS.Platform }
  /** The CLI can have a credential, or work without one, in a way that leaves no trace known to the agent. */
  | { readonly always: true }

export interface KnownCli {
  /** Its name in a run's `cli`. */
  readonly name: string
  /** The commands that start it. The first one whose program is installed is used. */
  readonly commands: readonly string[]
  /** Its program does not support `--version`: it would start a conversation. */
  readonly hasNoVersion?: true
  /** Another well-known program has the same name. The CLI is offered only if it is not SIGNED_OUT. */
  readonly sharesItsName?: true
  /** The folder of its files, relative to the home folder. `variable` replaces it. */
  readonly folder: { readonly path: string; readonly variable?: string }
  /** If one of these exists, the CLI is SIGNED_IN. */
  readonly signedIn: readonly Sign[]
  /** If one of these exists, and none of `signedIn`, the state is UNKNOWN. Otherwise the CLI is SIGNED_OUT. */
  readonly perhaps: readonly Sign[]
}

export const knownClis: readonly KnownCli[] = Object.freeze([
  {
    name: 'claude',
    // Claude Code itself does not support the protocol. Its adapter was called `claude-code-acp` before.
    commands: ['claude-agent-acp', 'claude-code-acp'],
    hasNoVersion: true,
    folder: { path: '.claude', variable: 'CLAUDE_CONFIG_DIR' },
    signedIn: [
      { variables: ['ANTHROPIC_API_KEY'] },
      { variables: ['ANTHROPIC_AUTH_TOKEN'] },
      { variables: ['CLAUDE_CODE_OAUTH_TOKEN'] },
      { file: '.credentials.json' },
    ],
    perhaps: [
      { keychainOf: 'darwin' },
      { file: 'settings.json' },
      { file: '.claude.json' },
      { file: '../.claude.json' },
      { variables: ['CLAUDE_CODE_USE_BEDROCK'] },
      { variables: ['CLAUDE_CODE_USE_VERTEX'] },
    ],
  },
  {
    name: 'codex',
    commands: ['codex-acp'],
    folder: { path: '.codex', variable: 'CODEX_HOME' },
    // The adapter uses CODEX_API_KEY and OPENAI_API_KEY only for a client that asks for it.
    signedIn: [{ file: 'auth.json' }],
    perhaps: [{ file: 'config.toml' }],
  },
  {
    name: 'gemini',
    commands: ['gemini --acp'],
    folder: { path: '.gemini' },
    signedIn: [{ variables: ['GEMINI_API_KEY'] }, { file: 'oauth_creds.json' }],
    perhaps: [{ file: 'settings.json' }, { file: '.env' }, { file: '../.env' }],
  },
  {
    name: 'qwen',
    commands: ['qwen --acp'],
    folder: { path: '.qwen' },
    signedIn: [{ variables: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'] }, { file: 'oauth_creds.json' }],
    perhaps: [{ file: 'settings.json' }, { file: '.env' }, { file: '../.env' }],
  },
  {
    name: 'cursor',
    commands: ['cursor-agent acp'],
    folder: { path: '.cursor' },
    signedIn: [{ variables: ['CURSOR_API_KEY'] }, { variables: ['CURSOR_AUTH_TOKEN'] }],
    perhaps: [{ always: true }],
  },
  {
    name: 'opencode',
    commands: ['opencode acp'],
    folder: { path: '.local/share', variable: 'XDG_DATA_HOME' },
    signedIn: [{ file: 'opencode/auth.json' }],
    perhaps: [{ always: true }],
  },
  {
    name: 'goose',
    commands: ['goose acp'],
    sharesItsName: true,
    folder: { path: '.config', variable: 'XDG_CONFIG_HOME' },
    // Its keys are in the keychain, under the name of the provider that is set up.
    signedIn: [],
    perhaps: [{ file: 'goose/config.yaml' }, { variables: ['GOOSE_PROVIDER'] }],
  },
])

/** Returns the known CLI that the command starts. */
export function findKnownCli(command: string): KnownCli | undefined {
  const [program] = command.split(/\s/, 1)
  return knownClis.find(({ commands }) => commands.some((known) => known.split(' ', 1)[0] === program))
}
