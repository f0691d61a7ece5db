/** The agent's version, which it reports to the control plane. */
export const version = '0.1.0'
