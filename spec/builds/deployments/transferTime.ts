/** The time in which the file of a deployment must be on its machine, from the creation of the deployment on, ms. */
export const transferMs = 86_400_000
