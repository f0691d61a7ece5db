/** The files of a deployment in the folder of its attempt. They are removed with the attempt. */
import { basename, join } from 'node:path'
import type { JobFolder } from '../jobs/folder.ts'

/** The file that is installed. It keeps its name, which programs may depend on. */
export const fileOf = ({ path }: Pick<JobFolder, 'path'>, name: string): string => join(path, 'file', basename(name))

/** The folder in which the steps start. Files that they write there are removed too. */
export const workFolder = ({ path }: Pick<JobFolder, 'path'>): string => join(path, 'work')

/** Its existence means that the installation is done, and the app, or the command, runs. */
export const runningFile = ({ path }: Pick<JobFolder, 'path'>): string => join(path, 'running.txt')
