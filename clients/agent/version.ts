/** The agent's version, as it tells the control plane. */
export const version = '0.1.0'
