/** The version of the client, which its `User-Agent` has. */
export const version = '0.1.0'
