/**
 * The reason with which a socket is closed if its credential is that of a revoked agent. The code is 4401. The agent ends its jobs at once,
 * which it does not do if the control plane does not have the credential.
 */
export const agentRevokedReason = 'Agent revoked'
